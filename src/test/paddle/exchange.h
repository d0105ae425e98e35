// Tensors in and out of a predictor, as FP32.
#pragma once
#include <paddle_inference_api.h>

#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

inline size_t Elements(const std::vector<int>& shape) {
  return std::accumulate(shape.begin(), shape.end(), size_t{1}, std::multiplies<size_t>());
}

inline void SetInput(paddle_infer::Predictor& predictor, const std::string& name,
                     const std::vector<int>& shape, const float* data) {
  // Not destroyed: this program does not know the fields of a Tensor.
  paddle_infer::Tensor* tensor = predictor.GetInputHandle(name).release();
  tensor->Reshape(shape);
  tensor->CopyFromCpu(data);
}

inline std::vector<float> FirstOutput(paddle_infer::Predictor& predictor) {
  paddle_infer::Tensor* tensor =
      predictor.GetOutputHandle(predictor.GetOutputNames()[0]).release();
  std::vector<float> data(Elements(tensor->shape()));
  tensor->CopyToCpu(data.data());
  return data;
}

// "After the inputs are set, as before": as an object in the scope of main, sets the input to ones,
// and writes the first output to the file `output` when main returns.
class Exchange {
 public:
  Exchange(paddle_infer::Predictor& predictor, const std::vector<int>& shape)
      : predictor_(predictor) {
    std::vector<float> ones(Elements(shape), 1.0f);
    SetInput(predictor, predictor.GetInputNames()[0], shape, ones.data());
  }

  ~Exchange() {
    std::vector<float> data = FirstOutput(predictor_);
    std::ofstream("output", std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()),
               static_cast<std::streamsize>(data.size() * sizeof(float)));
  }

 private:
  paddle_infer::Predictor& predictor_;
};
