/** The usual size of a browser's font. */
const usual = 16

/** A style or media query with its pixels in rem, so that it grows with the browser's font. One pixel stays one: it is a line. */
export function inRem(css: string) {
  return css.replaceAll(/(?<![\w.])(\d*\.?\d+)px\b/g, (pixels, number) => (number === '1' ? pixels : `${Number(number) / usual}rem`))
}

const font = typeof document === 'undefined' ? usual : Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || usual

/** Pixels of the design in those of the screen, for positions that are computed. Read once: a change of the font takes a new page. */
export function scaled(pixels: number) {
  return Math.round((pixels * font) / usual)
}
