interface Point {
  x: number
  y: number
}

/** How far an arrow goes straight on beside a bar, the radius of its corners, and the size of its head, in pixels. */
const gap = 10
const radius = 5
const head = 4
/** The room that an arrow needs beside a bar, in pixels. */
export const linkRoom = gap + 2

/** The corners of an arrow from the end of one bar to the start of another; it goes around between two rows where there is no room before the other. */
function cornersOf(from: Point, to: Point, rowHeight: number): Point[] {
  const out = from.x + gap
  if (to.x - from.x >= 2 * gap)
    return [
      { x: out, y: from.y },
      { x: out, y: to.y },
    ]
  const between = from.y + (Math.sign(to.y - from.y) * rowHeight) / 2
  const back = to.x - gap
  return [
    { x: out, y: from.y },
    { x: out, y: between },
    { x: back, y: between },
    { x: back, y: to.y },
  ]
}

/** The point on the way from one point toward another, a corner's radius before it at most. */
function near(corner: Point, toward: Point): Point {
  const [dx, dy] = [toward.x - corner.x, toward.y - corner.y]
  const length = Math.hypot(dx, dy)
  const share = length === 0 ? 0 : Math.min(radius, length / 2) / length
  return { x: corner.x + dx * share, y: corner.y + dy * share }
}

const text = ({ x, y }: Point) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`

/** The `d` of an SVG path: an arrow with rounded corners. */
export function linkPath(from: Point, to: Point, rowHeight: number) {
  const points = [from, ...cornersOf(from, to, rowHeight), to]
  const curves = points.slice(1, -1).map((corner, index) => {
    const [before, after] = [points[index] ?? from, points[index + 2] ?? to]
    return `L${text(near(corner, before))} Q${text(corner)} ${text(near(corner, after))}`
  })
  const tip = `M${text({ x: to.x - head, y: to.y - head })} L${text(to)} L${text({ x: to.x - head, y: to.y + head })}`
  return `M${text(from)} ${curves.join(' ')} L${text(to)} ${tip}`
}
