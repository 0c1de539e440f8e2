// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/figure/film.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "enfold/base/error.hpp"

namespace enfold::figure {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class FilmTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("enfold-film-test-{}", getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Figure frame(double x, double height = 240.0) {
    Figure out{.title = "a point that moves", .size = {.width = 320.0, .height = height}};
    Panel panel{.x_range = Range{0.0, 1.0}, .y_range = Range{0.0, 1.0}};
    panel.elements.emplace_back(Markers{.points = {{x, 0.5}}, .size = 20.0});
    out.panels.push_back(panel);
    return out;
  }

  /// What the players' own reader finds in a file: width, height and number of frames.
  static std::string probe(const fs::path& file) {
    const std::string command = fmt::format(
        "ffprobe -v error -count_frames -select_streams v -show_entries stream=width,height,nb_read_frames "
        "-of "
        "csv=p=0 '{}'",
        file.string());
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    char text[200] = "";
    if (pipe == nullptr || std::fgets(text, sizeof text, pipe.get()) == nullptr) return "nothing";
    return text;
  }

  fs::path folder_;
};

TEST_F(FilmTest, EveryFigureIsAFrameInEveryFormat) {
  const std::vector<Figure> frames = {frame(0.2), frame(0.4), frame(0.6), frame(0.8)};
  write_film(frames, {folder_ / "a.gif", folder_ / "a.mp4", folder_ / "a.webm"});
  EXPECT_THAT(probe(folder_ / "a.gif"), StartsWith("640,480,4"));
  EXPECT_THAT(probe(folder_ / "a.mp4"), StartsWith("640,480,4"));
  EXPECT_THAT(probe(folder_ / "a.webm"), StartsWith("640,480,4"));
}

TEST_F(FilmTest, RefusesWhatIsNoFilm) {
  EXPECT_THROW(write_film({}, {folder_ / "a.gif"}), InvalidArgument);
  EXPECT_THROW(write_film({frame(0.1)}, {folder_ / "a.avi"}), InvalidArgument);
  EXPECT_THROW(write_film({frame(0.1), frame(0.1, 300.0)}, {folder_ / "a.gif"}), InvalidArgument);
  EXPECT_THROW(write_film({frame(0.1)}, {folder_ / "no" / "such" / "a.gif"}), IoError);
}

TEST_F(FilmTest, WithoutFfmpegTheMessageNamesThePackage) {
  try {
    write_film({frame(0.1)}, {folder_ / "a.gif"}, {.program = "no-such-ffmpeg"});
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("apt-get install ffmpeg"));
  }
}

}  // namespace
}  // namespace enfold::figure
