// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "demo_figures.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/renderer.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace enfold::figure {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "enfold-figure-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Width and height from the header of a PNG: big-endian at bytes 16 … 23.
std::pair<int, int> png_size(const std::string& png) {
  const auto number = [&](std::size_t at) {
    int n = 0;
    for (std::size_t k = 0; k < 4; ++k) n = 256 * n + static_cast<unsigned char>(png[at + k]);
    return n;
  };
  return {number(16), number(20)};
}

class RendererTest : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Renderer> renderer_ = make_renderer(GetParam());
  TemporaryFolder folder_{};
};

TEST_P(RendererTest, DrawsEveryDemoInBothFormats) {
  const std::vector<Job> jobs{
      {test::history_figure(), {folder_ / "history.svg", folder_ / "history.png"}},
      {test::snapshot_figure(), {folder_ / "snapshots.svg", folder_ / "snapshots.png"}},
      {test::mixed_figure(), {folder_ / "mixed.svg", folder_ / "mixed.png"}}};
  renderer_->render_all(jobs);
  for (const Job& job : jobs) {
    EXPECT_THAT(content(job.files[0]), HasSubstr("</svg>"));
    const std::string png = content(job.files[1]);
    ASSERT_GT(png.size(), 5000U);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    // Two pixels per px of the page.
    EXPECT_EQ(png_size(png), std::pair(static_cast<int>(2 * job.figure.size.width),
                                       static_cast<int>(2 * job.figure.size.height)));
  }
  if (const char* keep = std::getenv("ENFOLD_KEEP_FIGURES"); keep != nullptr) {
    for (const Job& job : jobs) {
      for (const fs::path& file : job.files) {
        fs::copy_file(file, fs::path(keep) / (GetParam() + "-" + file.filename().string()),
                      fs::copy_options::overwrite_existing);
      }
    }
  }
}

TEST_P(RendererTest, GivesTheSameSvgBytesEachTimeAndInABatch) {
  renderer_->render(test::history_figure(), folder_ / "a.svg");
  renderer_->render(test::history_figure(), folder_ / "b.svg");
  const std::vector<Job> jobs{{test::snapshot_figure(), {folder_ / "s.png", folder_ / "s.svg"}},
                              {test::history_figure(), {folder_ / "c.svg", folder_ / "d.svg"}}};
  renderer_->render_all(jobs);
  const std::string once = content(folder_ / "a.svg");
  EXPECT_EQ(once, content(folder_ / "b.svg"));
  EXPECT_EQ(once, content(folder_ / "c.svg"));
  EXPECT_EQ(once, content(folder_ / "d.svg"));
}

TEST_P(RendererTest, WritesUtf8AndSpecialCharactersAsTheyAre) {
  Figure figure{.title = "λ μ ° − a_b^c {d} @ ~ \"e\" 'f' \\n %s", .size = {900, 300}};
  figure.panels.push_back({.title = "left.proximal_2", .x_label = "<x> & y"});
  renderer_->render(figure, folder_ / "text.svg");
  const std::string svg = content(folder_ / "text.svg");
  EXPECT_THAT(svg, HasSubstr("λ μ ° − a_b^c {d} @ ~ \"e\" 'f' \\n %s"));
  EXPECT_THAT(svg, HasSubstr("left.proximal_2"));
  EXPECT_THAT(svg, HasSubstr("&lt;x"));
  EXPECT_THAT(svg, HasSubstr(" &amp; y"));
}

TEST_P(RendererTest, RunsNoCommandFoundInATextOrAFileName) {
  const std::string target = (folder_ / "touched").string();
  Figure figure{.title = "`touch " + target + "`", .size = {900, 300}};
  figure.panels.push_back({.title = "\"\nsystem(\"touch " + target + "\")\n\"",
                           .x_label = "';!touch " + target,
                           .y_label = "@x $(touch " + target + ")"});
  const fs::path odd = folder_ / "|touch touched; `touch touched` \"a\" 'b' $x.svg";
  renderer_->render(figure, odd);
  EXPECT_THAT(content(odd), HasSubstr("</svg>"));
  EXPECT_FALSE(fs::exists(target));
}

TEST_P(RendererTest, DrawsEmptySeriesAndEmptyFigures) {
  Figure figure{};
  EXPECT_NO_THROW(renderer_->render(figure, folder_ / "nothing.svg"));
  figure.panels.push_back(
      {.legend = LegendPlacement::kRight,
       .elements = {Line{.label = "none"}, Markers{.label = "none either"}, Polygon{}, Arrow{}}});
  EXPECT_NO_THROW(renderer_->render(figure, folder_ / "empty.svg"));
  EXPECT_THAT(content(folder_ / "empty.svg"), HasSubstr("none either"));
}

TEST_P(RendererTest, ThrowsIoErrorForAFolderThatIsNotThere) {
  EXPECT_THROW(renderer_->render(test::mixed_figure(), folder_ / "no/such/folder/a.svg"), IoError);
}

TEST_P(RendererTest, ThrowsIoErrorForAFileThatIsAFolder) {
  fs::create_directory(folder_ / "a.svg");
  EXPECT_THROW(renderer_->render(test::mixed_figure(), folder_ / "a.svg"), IoError);
}

TEST_P(RendererTest, RejectsOtherExtensions) {
  EXPECT_THROW(renderer_->render(test::mixed_figure(), folder_ / "a.pdf"), InvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, RendererTest, testing::ValuesIn(renderer_names()),
                         [](const auto& param_info) { return param_info.param; });

TEST(GnuplotRendererTest, SaysWhatIsMissingWhenGnuplotIsNotInstalled) {
  const TemporaryFolder folder;
  const auto renderer = make_gnuplot_renderer({.program = "enfold-no-such-program"});
  try {
    renderer->render(test::mixed_figure(), folder / "a.svg");
    FAIL() << "expected IoError";
  } catch (const IoError& e) {
    EXPECT_THAT(e.what(), HasSubstr("enfold-no-such-program"));
    EXPECT_THAT(e.what(), HasSubstr("gnuplot-nox"));
  }
}

// A program that writes to its standard error and fails, whatever it reads, takes gnuplot's part.
TEST(GnuplotRendererTest, PassesOnWhatAFailingGnuplotSays) {
  const TemporaryFolder folder;
  const fs::path program = folder / "broken-gnuplot";
  std::ofstream(program) << "#!/bin/sh\necho 'no such terminal' >&2\nexit 3\n";
  fs::permissions(program, fs::perms::owner_all);
  try {
    make_gnuplot_renderer({.program = program.string()})->render(test::mixed_figure(), folder / "a.svg");
    FAIL() << "expected IoError";
  } catch (const IoError& e) {
    EXPECT_THAT(e.what(), HasSubstr("exit code 3"));
    EXPECT_THAT(e.what(), HasSubstr("no such terminal"));
  }
}

TEST(GnuplotRendererTest, NoticesAFigureThatWasNotDrawn) {
  const TemporaryFolder folder;
  EXPECT_THROW(make_gnuplot_renderer({.program = "true"})->render(test::mixed_figure(), folder / "a.svg"),
               IoError);
}

TEST(RendererRegistryTest, OffersEveryNameItListsAndNoOther) {
  for (const std::string& name : renderer_names()) EXPECT_EQ(make_renderer(name)->name(), name);
  EXPECT_EQ(default_renderer()->name(), renderer_names().front());
  EXPECT_THROW(static_cast<void>(make_renderer("crayon")), InvalidArgument);
}

}  // namespace
}  // namespace enfold::figure
