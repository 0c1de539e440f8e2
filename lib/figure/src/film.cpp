// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/figure/film.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "child_process.hpp"
#include "enfold/base/error.hpp"
#include "enfold/base/require.hpp"
#include "enfold/figure/renderer.hpp"

namespace enfold::figure {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "enfold-film-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw IoError(fmt::format("can't make a temporary folder '{}': {}", name, std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// What ffmpeg is told about each format.
const std::map<std::string, std::vector<std::string>>& encodings() {
  // A palette of its own keeps few flat colours clean; video needs even sizes.
  static const std::map<std::string, std::vector<std::string>> all = {
      {".gif",
       {"-filter_complex",
        "scale=640:-1:flags=area,split[a][b];[a]palettegen=max_colors=96:stats_mode=full[p];"
        "[b][p]paletteuse=dither=none:diff_mode=rectangle",
        "-loop", "0"}},
      {".mp4",
       {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-c:v", "libx264", "-preset", "medium", "-crf",
        "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart"}},
      {".webm",
       {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0",
        "-pix_fmt", "yuv420p"}},
  };
  return all;
}

void encode(const fs::path& folder, const fs::path& file, const FilmOptions& options) {
  // Times and names of programs would make the bytes differ from run to run.
  std::vector<std::string> words = {options.program,
                                    "-loglevel",
                                    "error",
                                    "-nostdin",
                                    "-y",
                                    "-framerate",
                                    fmt::format("{}", options.frames_per_second),
                                    "-i",
                                    (folder / "%05d.png").string(),
                                    "-fflags",
                                    "+bitexact",
                                    "-flags:v",
                                    "+bitexact",
                                    "-map_metadata",
                                    "-1",
                                    "-threads",
                                    "1"};
  const std::vector<std::string>& encoding = encodings().at(file.extension().string());
  words.insert(words.end(), encoding.begin(), encoding.end());
  words.push_back(file.string());
  ChildResult result;
  try {
    result = run_child(words, "");
  } catch (const IoError& error) {
    throw IoError(
        fmt::format("{}: films are made by ffmpeg; on Debian: apt-get install ffmpeg", error.what()));
  }
  if (result.exit_code == 127)
    throw IoError(fmt::format("can't start '{}': films are made by ffmpeg; on Debian: apt-get install ffmpeg",
                              options.program));
  if (result.exit_code != 0)
    throw IoError(fmt::format("ffmpeg could not write '{}': {}", file.string(), result.said));
}

}  // namespace

void write_film(const std::vector<Figure>& frames, const std::vector<fs::path>& files,
                const FilmOptions& options) {
  ENFOLD_REQUIRE(!frames.empty(), "write_film: no figures");
  ENFOLD_REQUIRE(options.frames_per_second > 0.0, "write_film: {} frames per second, expected more than 0",
                 options.frames_per_second);
  for (const fs::path& file : files)
    ENFOLD_REQUIRE(encodings().contains(file.extension().string()),
                   "write_film: '{}' is no film, expected .gif, .mp4 or .webm", file.string());
  const TemporaryFolder folder;
  std::vector<Job> jobs;
  for (const Figure& frame : frames) {
    ENFOLD_REQUIRE(
        frame.size.width == frames.front().size.width && frame.size.height == frames.front().size.height,
        "write_film: frame {} has another size than the first", jobs.size());
    jobs.push_back({frame, {folder.path() / fmt::format("{:05}.png", jobs.size())}});
  }
  default_renderer()->render_all(jobs);
  for (const fs::path& file : files) encode(folder.path(), file, options);
}

}  // namespace enfold::figure
