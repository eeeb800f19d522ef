/** The usual size of a browser's font, for which the design gives its pixels. */
const usual = 16

/** A length of the design, in pixels, as CSS that grows with the browser's font: `rem(36)` is `2.25rem`. */
export function rem(pixels: number) {
  return `${pixels / usual}rem`
}

const font = typeof document === 'undefined' ? usual : Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || usual

/** A length of the design in pixels of the screen, for positions that are computed. The font size is read once, when the page loads. */
export function scaled(pixels: number) {
  return Math.round((pixels * font) / usual)
}
