import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]
type Pixel = (x: number, y: number) => Color

function chunk(type: string, content: Buffer) {
  const typed = Buffer.concat([Buffer.from(type), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

/** A PNG with 8 bits for each color. */
function encodePng(width: number, height: number, pixel: Pixel): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  // Each row begins with its filter: none.
  const row = (y: number) => [0, ...Array.from({ length: width }, (_, x) => pixel(x, y).map(Math.round)).flat()]
  const rows = Buffer.from(Array.from({ length: height }, (_, y) => row(y)).flat())
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

const paints: readonly Color[] = [
  [196, 69, 54],
  [37, 110, 160],
  [226, 160, 42],
  [74, 122, 80],
]
const tire: Color = [38, 42, 48]
const display: Color = [205, 226, 214]
const curb: Color = [158, 152, 144]

const width = 480
const height = 320

/** A docking station by the water with its bicycles, different for each number. */
export function stationPicture(number: number): Buffer {
  const horizon = 150 + ((number * 37) % 40)
  const paint = paints[number % paints.length] as Color
  const bicycles = Array.from({ length: 2 + (number % 4) }, (_, place) => 150 + place * 78)
  return encodePng(width, height, (x, y) => {
    const drawn = bicycles.map(rear => bicycleAt(x - rear, y - horizon, paint)).find(color => color !== undefined)
    return drawn ?? stationAt(x, y - horizon, paint) ?? backgroundAt(x, y, horizon)
  })
}

/** `x` from the rear wheel, `y` from the horizon; undefined beside the bicycle. */
function bicycleAt(x: number, y: number, paint: Color): Color | undefined {
  const hub = 92
  for (const wheel of [0, 44]) {
    const distance = Math.hypot(x - wheel, y - hub)
    if (distance < 20 && distance > 16) return tire
  }
  const isOnFrame = Math.abs(y - hub + x * 0.55) < 3 && x > 0 && x < 34
  const isOnFork = Math.abs(x - 34) < 2 && y > 62 && y < hub
  return isOnFrame || isOnFork ? paint : undefined
}

function stationAt(x: number, y: number, paint: Color): Color | undefined {
  if (x <= 60 || x >= 112 || y <= -20 || y >= 112) return undefined
  return y < 16 && x > 70 && x < 102 ? display : paint
}

function backgroundAt(x: number, y: number, horizon: number): Color {
  const below = y - horizon
  if (below > 112) return curb
  if (below > 0) return [186 - (below >> 2), 181 - (below >> 2), 170]
  const isWater = below > -26
  if (isWater) return [92 + Math.round(10 * Math.sin(x / 9 + y)), 138, 158]
  const fade = y / horizon
  return [150 + 70 * fade, 186 + 34 * fade, 214 + 16 * fade]
}
