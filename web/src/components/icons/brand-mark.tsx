import { rem } from '../../lib/display/larger-font.ts'

/** The product's mark; `size` in px. */
export function BrandMark({ size = 18 }: { size?: number }) {
  const side = rem(size)
  return (
    <span
      aria-hidden
      className="brand-tile"
      style={{ display: 'block', width: side, height: side, borderRadius: rem(Math.round(size * 0.28)) }}
    />
  )
}
