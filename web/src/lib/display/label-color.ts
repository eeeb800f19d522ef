/** The relative luminance of `#rrggbb`, as WCAG 2 defines it. */
function luminance(color: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Black or white, whichever has more contrast with `#rrggbb`: at least 4.5 to 1 on any color. */
export function readableOn(color: string) {
  // At this luminance both have the same contrast.
  return luminance(color) > 0.179 ? '#000000' : '#ffffff'
}
