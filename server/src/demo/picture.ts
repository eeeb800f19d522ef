// A baseline JPEG encoder after ITU-T T.81 with the tables of its annex K: the demo needs pictures, and no native package for them.

type Pixel = (x: number, y: number) => readonly [red: number, green: number, blue: number]

const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57,
  50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
]
const luminance = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22,
  37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
]
const chrominance = [
  17,
  18,
  24,
  47,
  99,
  99,
  99,
  99,
  18,
  21,
  26,
  66,
  99,
  99,
  99,
  99,
  24,
  26,
  56,
  99,
  99,
  99,
  99,
  99,
  47,
  66,
  99,
  99,
  99,
  99,
  99,
  99,
  ...Array<number>(32).fill(99),
]
/** How many codes of each length, then the symbols; one pair of tables serves all three components. */
const dc = { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }
const ac = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  symbols: [
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91,
    0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a,
    0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53,
    0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79,
    0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5,
    0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9,
    0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2,
    0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
  ],
}

function codesOf({ counts, symbols }: typeof dc) {
  const codes = new Map<number, { code: number; length: number }>()
  let code = 0
  let next = 0
  for (const [index, count] of counts.entries()) {
    for (let each = 0; each < count; each++) codes.set(symbols[next++] ?? 0, { code: code++, length: index + 1 })
    code <<= 1
  }
  return codes
}
const dcCodes = codesOf(dc)
const acCodes = codesOf(ac)
const cosines = Array.from({ length: 64 }, (_, at) => Math.cos((((at >> 3) * 2 + 1) * (at & 7) * Math.PI) / 16))

function segment(marker: number, content: number[]) {
  return [0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content]
}

/** A JPEG of the pixels, of a size in multiples of 8. */
function encodeJpeg(width: number, height: number, pixel: Pixel): Buffer {
  const bytes: number[] = [
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...zigzag.map(at => luminance[at] ?? 1), 1, ...zigzag.map(at => chrominance[at] ?? 1)]),
    ...segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]),
    ...segment(0xc4, [0x00, ...dc.counts, ...dc.symbols, 0x10, ...ac.counts, ...ac.symbols]),
    ...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
  ]
  let pending = 0
  let bits = 0
  function put(value: number, length: number) {
    for (let at = length - 1; at >= 0; at--) {
      pending = (pending << 1) | ((value >> at) & 1)
      if (++bits < 8) continue
      bytes.push(pending)
      if (pending === 0xff) bytes.push(0)
      pending = 0
      bits = 0
    }
  }
  function putNumber(codes: typeof dcCodes, run: number, value: number) {
    const size = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1
    const { code, length } = codes.get((run << 4) | size) ?? { code: 0, length: 0 }
    put(code, length)
    put(value < 0 ? value + (1 << size) - 1 : value, size)
  }

  const previous = [0, 0, 0]
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      const samples = Array.from({ length: 64 }, (_, at) => toYcc(pixel(left + (at & 7), top + (at >> 3))))
      for (const component of [0, 1, 2] as const) {
        const table = component === 0 ? luminance : chrominance
        const block = transform(
          samples.map(sample => sample[component]),
          table,
        )
        putNumber(dcCodes, 0, (block[0] ?? 0) - (previous[component] ?? 0))
        previous[component] = block[0] ?? 0
        let run = 0
        for (const at of zigzag.slice(1)) {
          const value = block[at] ?? 0
          if (value === 0) run++
          else {
            for (; run > 15; run -= 16) putNumber(acCodes, 15, 0)
            putNumber(acCodes, run, value)
            run = 0
          }
        }
        if (run > 0) putNumber(acCodes, 0, 0)
      }
    }
  }
  if (bits > 0) put(0x7f, 8 - bits)
  bytes.push(0xff, 0xd9)
  return Buffer.from(bytes)
}

function toYcc([red, green, blue]: readonly [number, number, number]): [number, number, number] {
  return [
    0.299 * red + 0.587 * green + 0.114 * blue - 128,
    -0.1687 * red - 0.3313 * green + 0.5 * blue,
    0.5 * red - 0.4187 * green - 0.0813 * blue,
  ]
}

function transform(samples: number[], table: number[]) {
  const rows = new Float64Array(64)
  for (let y = 0; y < 8; y++)
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let x = 0; x < 8; x++) sum += (samples[y * 8 + x] ?? 0) * (cosines[x * 8 + u] ?? 0)
      rows[y * 8 + u] = sum * (u === 0 ? Math.SQRT1_2 : 1)
    }
  return Array.from({ length: 64 }, (_, at) => {
    const [v, u] = [at >> 3, at & 7]
    let sum = 0
    for (let y = 0; y < 8; y++) sum += (rows[y * 8 + u] ?? 0) * (cosines[y * 8 + v] ?? 0)
    return Math.round((sum * (v === 0 ? Math.SQRT1_2 : 1)) / 4 / (table[at] ?? 1))
  })
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
  return encodeJpeg(width, height, (x, y) => {
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
