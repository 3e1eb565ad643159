//! An image that is drawn at one size after another.

use image::{DynamicImage, RgbaImage, imageops};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::Tree,
};

/// A square image.
pub(super) enum Drawing {
    Vector(Box<Tree>),
    /// Pixels whose colours are multiplied with their opacity: only then can those of neighbours be mixed, or what is
    /// transparent would lend its colour to the edges.
    Raster(RgbaImage),
}

impl Drawing {
    pub(super) fn of_pixels(image: &DynamicImage) -> Self {
        let mut pixels = image.to_rgba8();
        for pixel in pixels.pixels_mut() {
            let [r, g, b, opacity] = pixel.0;
            pixel.0 = [multiplied(r, opacity), multiplied(g, opacity), multiplied(b, opacity), opacity];
        }
        Self::Raster(pixels)
    }

    /// The image with a width and height in pixels.
    pub(super) fn square(&self, size: u32) -> RgbaImage {
        let mut pixels = match self {
            Self::Vector(tree) => rendered(tree, size),
            // A filter of nothing but the four operations: what it gives is the same on every machine.
            Self::Raster(image) => imageops::resize(image, size, size, imageops::FilterType::CatmullRom),
        };
        for pixel in pixels.pixels_mut() {
            let [r, g, b, opacity] = pixel.0;
            pixel.0 = [divided(r, opacity), divided(g, opacity), divided(b, opacity), opacity];
        }
        pixels
    }

    /// Whether there is anything to see.
    pub(super) fn is_blank(&self) -> bool {
        self.square(64).pixels().all(|pixel| pixel.0[3] == 0)
    }
}

/// The drawing with colours multiplied, which is how it is drawn.
fn rendered(tree: &Tree, size: u32) -> RgbaImage {
    let Some(mut pixels) = Pixmap::new(size, size) else { return RgbaImage::new(size, size) };
    #[expect(clippy::cast_precision_loss, reason = "sizes of icons are small")]
    let target = size as f32;
    let scale = Transform::from_scale(target / tree.size().width(), target / tree.size().height());
    resvg::render(tree, scale, &mut pixels.as_mut());
    RgbaImage::from_raw(size, size, pixels.take()).unwrap_or_default()
}

fn multiplied(channel: u8, opacity: u8) -> u8 {
    let product = u16::from(channel) * u16::from(opacity) + 127;
    u8::try_from(product / 255).unwrap_or(u8::MAX)
}

/// The filter may make a colour stronger than its opacity allows.
fn divided(channel: u8, opacity: u8) -> u8 {
    match u16::from(opacity) {
        0 => 0,
        opacity => u8::try_from((u16::from(channel) * 255 + opacity / 2) / opacity).unwrap_or(u8::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::{divided, multiplied};

    #[test]
    fn opaque_colours_stay_as_they_are() {
        for channel in 0..=255 {
            assert_eq!((multiplied(channel, 255), divided(channel, 255)), (channel, channel));
            assert_eq!((multiplied(channel, 0), divided(channel, 0)), (0, 0));
            assert!(divided(multiplied(channel, 128), 128).abs_diff(channel) <= 1, "{channel}");
        }
    }
}
