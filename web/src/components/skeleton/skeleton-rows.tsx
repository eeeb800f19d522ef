import { rem } from '../../lib/display/larger-font.ts'
import { Skeleton } from './skeleton.tsx'

interface SkeletonRowsProps {
  /** Cells per row; their widths vary to resemble the real content. */
  columns: number
  rows: number
  height?: string
}

/** Rows of a table that is still loading, as high as the real ones. Use it in a `tbody`, with "Loading" in a live region beside it. */
export function SkeletonRows({ columns, rows, height = rem(36) }: SkeletonRowsProps) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden style={{ height }}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <Skeleton width={`${50 + ((row * 7 + column * 13) % 5) * 10}%`} height={14} />
        </td>
      ))}
    </tr>
  ))
}
