// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "enfold/figure/figure.hpp"

namespace enfold::figure {

struct FilmOptions {
  double frames_per_second = 20.0;
  /// Name looked up on PATH, or a path.
  std::string program = "ffmpeg";
};

/// Draws the figures with the default renderer and joins them to a film in each of the files; the extension
/// picks the format: `.gif` (640 px wide, repeats for ever), `.mp4` (H.264) or `.webm` (VP9), those at two
/// pixels per px.
///
/// Throws InvalidArgument for an unknown extension, no figure, figures of different sizes, or what a renderer
/// refuses; IoError when a file can't be written, or ffmpeg is missing or fails, with what it said.
void write_film(const std::vector<Figure>& frames, const std::vector<std::filesystem::path>& files,
                const FilmOptions& options = {});

}  // namespace enfold::figure
