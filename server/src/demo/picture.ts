import { crc32, deflateSync } from 'node:zlib'

type Pixel = (x: number, y: number) => readonly [red: number, green: number, blue: number]

function chunk(type: string, content: Buffer) {
  const typed = Buffer.concat([Buffer.from(type), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

/** A PNG with 8 bits for each colour. */
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

const bodies = [
  [196, 69, 54],
  [37, 110, 160],
  [226, 160, 42],
  [74, 122, 80],
] as const

/** A docking station by the water with its bicycles, different for each number. */
export function stationPicture(number: number): Buffer {
  const [width, height] = [480, 320]
  const horizon = 150 + ((number * 37) % 40)
  const paint = bodies[number % bodies.length] ?? bodies[0]
  const bikes = 2 + (number % 4)
  return encodePng(width, height, (x, y) => {
    for (let bike = 0; bike < bikes; bike++) {
      const from = 150 + bike * 78
      for (const wheel of [from, from + 44]) {
        const distance = Math.hypot(x - wheel, y - (horizon + 92))
        if (distance < 20 && distance > 16) return [38, 42, 48]
      }
      const onFrame = Math.abs(y - (horizon + 92) + (x - from) * 0.55) < 3 && x > from && x < from + 34
      if (onFrame || (Math.abs(x - from - 34) < 2 && y > horizon + 62 && y < horizon + 92)) return paint
    }
    if (x > 60 && x < 112 && y > horizon - 20 && y < horizon + 112) return y < horizon + 16 && x > 70 && x < 102 ? [205, 226, 214] : paint
    if (y > horizon + 112) return [158, 152, 144]
    if (y > horizon) return [186 - ((y - horizon) >> 2), 181 - ((y - horizon) >> 2), 170]
    if (y > horizon - 26) return [92 + Math.round(10 * Math.sin(x / 9 + y)), 138, 158]
    const fade = y / horizon
    return [150 + 70 * fade, 186 + 34 * fade, 214 + 16 * fade]
  })
}
