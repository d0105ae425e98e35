// The functions of exchange.h and paddle_inference_api.h with plain C names, for ctypes.
#include "exchange.h"

#include <algorithm>

using paddle_infer::Config;
using paddle_infer::Predictor;

extern "C" {
void* config_new(const char* program, const char* parameters) {
  return new Config(program, parameters);
}

void config_enable_memory_optim(void* config, bool on) {
  static_cast<Config*>(config)->EnableMemoryOptim(on);
}

void* predictor_new(void* config) {
  return new std::shared_ptr<Predictor>(
      paddle_infer::CreatePredictor(*static_cast<Config*>(config)));
}

static Predictor& Get(void* predictor) {
  return **static_cast<std::shared_ptr<Predictor>*>(predictor);
}

bool predictor_has_input(void* predictor, const char* name) {
  std::vector<std::string> names = Get(predictor).GetInputNames();
  return std::find(names.begin(), names.end(), name) != names.end();
}

void predictor_set_input(void* predictor, const char* name, const int* shape, int rank,
                         const float* data) {
  SetInput(Get(predictor), name, std::vector<int>(shape, shape + rank), data);
}

bool predictor_run(void* predictor) { return Get(predictor).Run(); }

// The elements of the first output; copies them if there is room.
size_t predictor_first_output(void* predictor, float* data) {
  std::vector<float> output = FirstOutput(Get(predictor));
  if (data != nullptr) {
    std::copy(output.begin(), output.end(), data);
  }
  return output.size();
}
}
