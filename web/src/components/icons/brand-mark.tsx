/** The product's mark; `size` in px. */
export function BrandMark({ size = 18 }: { size?: number }) {
  return (
    <span
      aria-hidden
      className="brand-tile"
      style={{ display: 'block', width: size, height: size, borderRadius: Math.round(size * 0.28) }}
    />
  )
}
