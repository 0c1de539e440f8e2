// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <matplot/backend/backend_interface.h>
#include <matplot/core/axes_object.h>
#include <matplot/core/axes_type.h>
#include <matplot/core/figure_type.h>

#include <utility>

#include "enfold/figure/renderer.hpp"
#include "gnuplot_run.hpp"
#include "gnuplot_script.hpp"
#include "page.hpp"

namespace enfold::figure {
namespace {

// Matplot++ draws by sending gnuplot commands to a backend. This one keeps them: its own talks to a pipe
// without looking at what comes back, so a failure would go unseen and files might be incomplete when we
// return.
class RecordingBackend final : public matplot::backend::backend_interface {
 public:
  RecordingBackend(const Size& size, const std::filesystem::path& file)
      : file_(std::filesystem::absolute(file).string()),
        format_(format_of(file) == Format::kSvg ? "svg" : "pngcairo"),
        width_(static_cast<unsigned>(size.width)),
        height_(static_cast<unsigned>(size.height)),
        script_(open_commands(size, file)) {}

  bool is_interactive() override { return false; }
  const std::string& output() override { return file_; }
  const std::string& output_format() override { return format_; }
  bool output(const std::string&) override { return true; }
  bool output(const std::string&, const std::string&) override { return true; }
  unsigned int width() override { return width_; }
  unsigned int height() override { return height_; }
  void width(unsigned int) override {}
  void height(unsigned int) override {}
  unsigned int position_x() override { return 0; }
  unsigned int position_y() override { return 0; }
  void position_x(unsigned int) override {}
  void position_y(unsigned int) override {}
  bool new_frame() override { return true; }
  bool render_data() override { return true; }
  bool supports_fonts() override { return true; }
  bool consumes_gnuplot_commands() override { return true; }
  void include_comment(const std::string&) override {}
  void run_command(const std::string& command) override {
    // Terminal and file are set already, by commands that also hold the font, the scale and a safe file name.
    if (command.starts_with("set terminal") || command.starts_with("set output")) return;
    script_ += command + '\n';
  }

  [[nodiscard]] std::string take_script() { return std::move(script_) + "unset output\n"; }

 private:
  std::string file_;
  std::string format_;
  unsigned width_;
  unsigned height_;
  std::string script_;
};

// Matplot++'s base class has no virtual destructor; its handles are shared pointers made from the full type,
// which destroy that.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"

// Settings and words of axes: what Matplot++ has no words for (upright text, minor ticks, a thin open frame).
class SettingsObject final : public matplot::axes_object {
 public:
  SettingsObject(matplot::axes_type* parent, std::string commands)
      : axes_object(parent), commands_(std::move(commands)) {}
  std::string set_variables_string() override { return commands_; }
  std::string plot_string() override { return "NaN notitle"; }
  std::string unset_variables_string() override { return "unset label\n"; }

 private:
  std::string commands_;
};

// A stroke or a fill.
class ShapeObject final : public matplot::axes_object {
 public:
  ShapeObject(matplot::axes_type* parent, Shape shape) : axes_object(parent), shape_(std::move(shape)) {}
  std::string plot_string() override { return "'-' " + plot_style(shape_); }
  std::string data_string() override { return data_rows(shape_) + "e"; }

 private:
  Shape shape_;
};

#pragma GCC diagnostic pop

void add_axes(matplot::figure_type& figure, const Axes& axes, const Size& size) {
  const auto handle = std::make_shared<matplot::axes_type>(
      &figure, std::array<float, 4>{static_cast<float>(axes.rect.left / size.width),
                                    static_cast<float>(axes.rect.bottom / size.height),
                                    static_cast<float>(axes.rect.width / size.width),
                                    static_cast<float>(axes.rect.height / size.height)});
  handle->visible(false);  // frame and ticks are among the settings
  handle->xlim({axes.x.lower, axes.x.upper});
  handle->ylim({axes.y.lower, axes.y.upper});
  // Matplot++ resets gnuplot between axes.
  std::string settings = "unset key\nset clip one\nset clip two\nset style fill solid 1.0 noborder\n";
  settings += axes_commands(axes) + label_commands(axes.words);
  std::vector<matplot::axes_object_handle> children{std::make_shared<SettingsObject>(handle.get(), settings)};
  for (const Shape& shape : axes.shapes)
    children.push_back(std::make_shared<ShapeObject>(handle.get(), shape));
  handle->children(children);
  figure.add_axes(handle, false, false);
}

std::string matplot_script(const Page& page, const std::filesystem::path& file) {
  const auto backend = std::make_shared<RecordingBackend>(page.size, file);
  matplot::figure_type figure(true);
  figure.backend(backend);
  figure.font(kFont);
  Axes sheet;
  sheet.rect = {0.0, 0.0, page.size.width, page.size.height};
  sheet.x = {0.0, page.size.width};
  sheet.y = {0.0, page.size.height};
  sheet.frame = Frame::kNone;
  sheet.shapes = page.shapes;
  sheet.words = page.words;
  add_axes(figure, sheet, page.size);
  for (const Axes& axes : page.axes) add_axes(figure, axes, page.size);
  figure.draw();
  return backend->take_script();
}

class MatplotRenderer final : public Renderer {
 public:
  [[nodiscard]] std::string_view name() const override { return "matplot"; }

  void render(const Figure& figure, const std::filesystem::path& file) const override {
    const Job job{figure, {file}};
    render_all({&job, 1});
  }

  void render_all(std::span<const Job> jobs) const override {
    std::string script;
    for (const Job& job : jobs) {
      const Page page = lay_out(job.figure);
      for (const std::filesystem::path& file : job.files) script += matplot_script(page, file);
    }
    draw_script(script, jobs, {});
  }
};

}  // namespace

std::unique_ptr<Renderer> make_matplot_renderer() {
  return std::make_unique<MatplotRenderer>();
}

}  // namespace enfold::figure
