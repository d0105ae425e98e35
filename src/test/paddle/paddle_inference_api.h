// The functions of Paddle Inference 2.3.2 that the documents' programs and exchange.h call. Only
// declarations: everything is in libpaddle_inference.so, and a wrong signature does not link.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace paddle {
class AnalysisConfig {
 public:
  AnalysisConfig(const std::string& program, const std::string& parameters);
  ~AnalysisConfig();
  void EnableMemoryOptim(bool on = true);

 private:
  // The library's constructor fills this. The real fields are not known here; they take less.
  alignas(16) unsigned char fields_[1 << 16];
};
}  // namespace paddle

namespace paddle_infer {
using Config = paddle::AnalysisConfig;

class Tensor {
 public:
  void Reshape(const std::vector<int>& shape);
  std::vector<int> shape() const;
  template <typename T>
  void CopyFromCpu(const T* data);
  template <typename T>
  void CopyToCpu(T* data) const;
};

class Predictor {
 public:
  std::vector<std::string> GetInputNames();
  std::unique_ptr<Tensor> GetInputHandle(const std::string& name);
  std::vector<std::string> GetOutputNames();
  std::unique_ptr<Tensor> GetOutputHandle(const std::string& name);
  bool Run();
};

std::shared_ptr<Predictor> CreatePredictor(const Config& config);
}  // namespace paddle_infer
