package dev.sublet.codec.foreign;

/**
 * The formats that are recognized, each with its message. Of several files in a folder, the one
 * with the earliest constant is reported: programs come before weights, weights before archives.
 */
enum ForeignFormat {
  PIR(
      Text.model(
          "a Paddle 3 program in PIR json",
          "save the model again with FLAGS_enable_pir_api=0 in the environment, which writes a"
              + " .pdmodel, or convert it with 'paddle2onnx --model_dir DIR --model_filename"
              + " inference.json --params_filename inference.pdiparams --save_file model.onnx'")),
  SAVED_MODEL(
      Text.model(
          "a TensorFlow SavedModel",
          "convert its folder with 'python -m tf2onnx.convert --saved-model DIR --output"
              + " model.onnx'")),
  GRAPH_DEF(
      Text.model(
          "a TensorFlow GraphDef",
          "convert it with 'python -m tf2onnx.convert --graphdef graph.pb --inputs x:0 --outputs"
              + " y:0 --output model.onnx'")),
  TFLITE(
      Text.model(
          "a TensorFlow Lite model",
          "convert it with 'python -m tf2onnx.convert --tflite model.tflite --output model.onnx'")),
  KERAS(
      Text.model(
          "a Keras model",
          "load it in Keras and save it with model.export('model.onnx', format='onnx')")),
  CORE_ML(
      Text.model(
          "a Core ML model",
          "nothing converts it back; export the model from which it was made to ONNX")),
  CAFFE(
      Text.model(
          "a Caffe model",
          "convert the network and its weights with 'x2paddle --framework=caffe"
              + " --prototxt=deploy.prototxt --weight=deploy.caffemodel --save_dir=DIR'")),
  OPEN_VINO(
      Text.model("an OpenVINO model", "pass the ONNX or Paddle model from which it was converted")),
  NCNN(
      Text.model(
          "an ncnn or pnnx model", "pass the ONNX or Paddle model from which it was converted")),
  MNN(Text.model("an MNN model", "pass the ONNX or Paddle model from which it was converted")),
  PADDLE_LITE(
      Text.model(
          "a Paddle Lite model (.nb)",
          "pass the .pdmodel or __model__ from which opt made it (--model_file, --model_dir)")),
  ORT(
      Text.model(
          "an ONNX Runtime model (.ort)", "pass the .onnx file from which it was converted")),
  TENSOR_RT(Text.model("a TensorRT engine", "pass the ONNX model from which it was built")),
  TORCH_SCRIPT(
      Text.model(
          "a TorchScript model",
          "load it with torch.jit.load and export it with torch.onnx.export(model, inputs,"
              + " 'model.onnx')")),
  TORCH(
      Text.model(
          "a PyTorch file, written by torch.save",
          "load it in PyTorch and export the model with torch.onnx.export(model, inputs,"
              + " 'model.onnx')")),
  HDF5(
      Text.model(
          "an HDF5 file",
          "if it is a Keras model, convert it with 'python -m tf2onnx.convert --keras model.h5"
              + " --output model.onnx'")),
  GGUF(
      Text.model(
          "a GGUF file, which has weights and no operators",
          "export the original model to ONNX, such as with 'optimum-cli export onnx --model NAME"
              + " DIR'")),
  SAFETENSORS(
      Text.model(
          "a safetensors file, which has weights and no operators",
          "export the model to which they belong to ONNX, such as with 'optimum-cli export onnx"
              + " --model NAME DIR'")),
  PADDLE_PARAMETERS(
      Text.model(
          "a file of Paddle parameters (.pdiparams)",
          "pass the program to which they belong, such as model.pdmodel")),
  PADDLE_STATE(
      Text.model(
          "a Paddle training state, written by paddle.save",
          "save the network with paddle.jit.save, which writes a .pdmodel (Paddle 3: with"
              + " FLAGS_enable_pir_api=0 in the environment)")),
  ONNX_DATA(
      Text.model(
          "probably the external data of an ONNX model", "pass the .onnx file that refers to it")),
  GIT_LFS(
      "a Git LFS pointer, not the file to which it points; fetch the file with 'git lfs pull' in"
          + " its repository"),
  WEB_PAGE(
      "a web page or the error message of a server, not a model; download the file again, from a"
          + " link to the file itself"),
  ARCHIVE(
      "a compressed file or an archive; unpack it and pass the .pdmodel, __model__ or .onnx file in"
          + " it");

  private final String message;

  ForeignFormat(String message) {
    this.message = message;
  }

  /** The name of the format and the remedy, as the end of a sentence. */
  String message() {
    return message;
  }

  /** The parts of messages; a class of its own because constants are made before static fields. */
  private static final class Text {

    private Text() {}

    private static String model(String what, String advice) {
      return what + "; Sublet reads Paddle programs and ONNX models: " + advice;
    }
  }
}
