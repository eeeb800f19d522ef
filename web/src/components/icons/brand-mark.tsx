import { inRem } from '../../lib/display/in-rem.ts'

/** The product's mark; `size` in px. */
export function BrandMark({ size = 18 }: { size?: number }) {
  const side = inRem(`${size}px`)
  return (
    <span
      aria-hidden
      className="brand-tile"
      style={{ display: 'block', width: side, height: side, borderRadius: inRem(`${Math.round(size * 0.28)}px`) }}
    />
  )
}
