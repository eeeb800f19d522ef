import { crc32, deflateSync, gzipSync } from 'node:zlib'

export interface HostileFile {
  label: string
  name: string
  content: Buffer
  /** 200 and the stored name, or the refusal. */
  expected: { kept: string } | { status: 415 | 422 }
}

const marker = (code: number, body: Buffer | string = '') => {
  const bytes = Buffer.from(body)
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}
const frame = (width: number, height: number, components = 3) =>
  Buffer.from([
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    components,
    ...Array.from({ length: components }, (_, i) => [i + 1, 0x11, 0]).flat(),
  ])
const jfif = marker(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'))
const scan = Buffer.concat([marker(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([0x12, 0x34, 0x56])])
const soi = Buffer.from([0xff, 0xd8])
const eoi = Buffer.from([0xff, 0xd9])

interface JpegOptions {
  width?: number
  height?: number
  sof?: number
  components?: number
  before?: Buffer[]
  after?: Buffer
}
/** A picture with a valid chain of segments; nobody decodes it. */
export function jpeg({ width = 64, height = 48, sof = 0xc0, components = 3, before = [], after = eoi }: JpegOptions = {}) {
  return Buffer.concat([
    soi,
    jfif,
    ...before,
    marker(0xdb, Buffer.alloc(65)),
    marker(sof, frame(width, height, components)),
    marker(0xc4, Buffer.alloc(28)),
    scan,
    after,
  ])
}

export function png(width: number, height: number) {
  const chunk = (type: string, body: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(body.length)
    const tail = Buffer.alloc(4)
    tail.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), body])))
    return Buffer.concat([head, Buffer.from(type), body, tail])
  }
  const ihdr = Buffer.alloc(13)
  ihdr.writeUInt32BE(width, 0)
  ihdr.writeUInt32BE(height, 4)
  ihdr.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', ihdr),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function zip(name = 'a.txt', comment = '') {
  const file = Buffer.from(name)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(22), Buffer.from([file.length, 0, 0, 0]), file])
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    Buffer.alloc(24),
    Buffer.from([file.length, 0]),
    Buffer.alloc(16),
    file,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([local, central, end, Buffer.from(comment)])
}

const text = (value: string) => Buffer.from(value)
const latin1 = (value: string) => Buffer.from(value, 'latin1')
const padded = (start: Buffer) => Buffer.concat([start, Buffer.alloc(512)])
const tar = () => {
  const block = Buffer.alloc(1024)
  block.write('a.txt')
  block.write('0000644\0', 100)
  block.write('00000000000\0', 124)
  block.write('ustar\x0000', 257, 'latin1')
  return block
}

/** Files that are no picture, or no JPEG, under a JPEG's name. */
const disguised: [string, Buffer][] = [
  ['PNG', png(10, 10)],
  ['GIF', latin1('GIF89a\x0a\0\x0a\0\0\0\0;')],
  ['GIF with script', text('GIF89a/*<svg/onload=alert(1)>*/=1')],
  ['BMP', padded(latin1('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'))],
  ['WebP', padded(latin1('RIFF\x24\0\0\0WEBPVP8 '))],
  ['TIFF, little endian', padded(latin1('II*\0\x08\0\0\0'))],
  ['TIFF, big endian', padded(latin1('MM\0*\0\0\0\x08'))],
  ['ICO', padded(latin1('\0\0\x01\0\x01\0'))],
  ['PSD', padded(latin1('8BPS\0\x01'))],
  ['HEIC', padded(latin1('\0\0\0\x18ftypheic\0\0\0\0'))],
  ['AVIF', padded(latin1('\0\0\0\x18ftypavif\0\0\0\0'))],
  ['JPEG 2000', padded(latin1('\0\0\0\x0cjP  \r\n\x87\n'))],
  ['JPEG XL', padded(latin1('\0\0\0\x0cJXL \r\n\x87\n'))],
  ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['SVG with declaration', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['HTML', text('<!doctype html><script>alert(document.cookie)</script>')],
  ['HTML after blanks', text(`${' '.repeat(600)}<html><body onload=alert(1)>`)],
  ['HTML with byte order mark', text('\ufeff<html><script>alert(1)</script></html>')],
  ['HTML in UTF-16', Buffer.from('\ufeff<html><script>alert(1)</script>', 'utf16le')],
  ['PHP', text('<?php system($_GET["c"]); ?>')],
  ['JavaScript', text('alert(1)')],
  ['JSON', text('{"a":1}')],
  ['CSV with a formula', text('=cmd|"/c calc"!A1,2\n')],
  ['plain text', text('just a text')],
  ['shell script', text('#!/bin/sh\nrm -rf /\n')],
  ['batch file', text('@echo off\r\nformat c:\r\n')],
  ['PDF', text('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<<>>\n%%EOF')],
  ['PDF after garbage', Buffer.concat([Buffer.alloc(200, 32), text('%PDF-1.4\n%%EOF')])],
  ['PostScript', text('%!PS-Adobe-3.0\n')],
  ['RTF', text('{\\rtf1\\ansi hello}')],
  ['ZIP', zip()],
  ['JAR', zip('META-INF/MANIFEST.MF')],
  ['DOCX', zip('word/document.xml')],
  ['APK', zip('AndroidManifest.xml')],
  ['old Office', padded(latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))],
  ['RAR', padded(latin1('Rar!\x1a\x07\x01\0'))],
  ['7-Zip', padded(latin1("7z\xbc\xaf'\x1c"))],
  ['TAR', tar()],
  ['gzip bomb', gzipSync(Buffer.alloc(20 * 1024 * 1024))],
  ['bzip2', padded(latin1('BZh91AY&SY'))],
  ['XZ', padded(latin1('\xfd7zXZ\0'))],
  ['Zstandard', padded(latin1('\x28\xb5\x2f\xfd'))],
  ['Windows program', padded(latin1('MZ\x90\0\x03'))],
  ['Linux program', padded(latin1('\x7fELF\x02\x01\x01'))],
  ['macOS program', padded(latin1('\xcf\xfa\xed\xfe'))],
  ['Java class', padded(latin1('\xca\xfe\xba\xbe\0\0\0\x34'))],
  ['WebAssembly', padded(latin1('\0asm\x01\0\0\0'))],
  ['SQLite', padded(latin1('SQLite format 3\0'))],
  ['MP3', padded(latin1('ID3\x03\0'))],
  ['MP4', padded(latin1('\0\0\0\x18ftypisom\0\0\0\0'))],
  ['AVI', padded(latin1('RIFF\x24\0\0\0AVI LIST'))],
  ['Matroska', padded(latin1('\x1aE\xdf\xa3'))],
  ['Ogg', padded(latin1('OggS\0\x02'))],
  ['Flash', padded(latin1('CWS\x0a'))],
  ['font', padded(latin1('OTTO\0\x09'))],
  ['Windows link', padded(latin1('L\0\0\0\x01\x14\x02\0'))],
  ['MIME message', text('From: a@b\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>')],
  ['zeros', Buffer.alloc(4096)],
  ['one byte', Buffer.from([0xff])],
  ['noise', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + 13) % 251))],
]

/** Files that begin like a JPEG and are something else, truncated, or ambiguous. */
const broken: [string, Buffer][] = [
  ['the first two bytes', soi],
  ['the first three bytes', Buffer.from([0xff, 0xd8, 0xff])],
  ['signature and HTML', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), text('<script>alert(1)</script>')])],
  ['signature and PHP', Buffer.concat([soi, jfif, text('<?php phpinfo();')])],
  ['signature and zeros', Buffer.concat([soi, jfif, Buffer.alloc(2000)])],
  ['cut within a segment', jpeg().subarray(0, 40)],
  ['cut before the frame', Buffer.concat([soi, jfif, marker(0xdb, Buffer.alloc(65))])],
  ['cut within the frame', jpeg().subarray(0, 96)],
  ['no frame before the scan', Buffer.concat([soi, jfif, scan, eoi])],
  ['no scan after the frame', Buffer.concat([soi, jfif, marker(0xc0, frame(10, 10))])],
  ['an end instead of a frame', Buffer.concat([soi, jfif, eoi])],
  ['two frames', Buffer.concat([soi, marker(0xc0, frame(10, 10)), marker(0xc0, frame(10, 10)), scan, eoi])],
  ['a segment of length 0', Buffer.concat([soi, Buffer.from([0xff, 0xe0, 0, 0]), jpeg().subarray(2)])],
  ['a segment longer than the file', Buffer.concat([soi, Buffer.from([0xff, 0xe1, 0xff, 0xff]), text('short')])],
  ['a frame that lies about its components', Buffer.concat([soi, marker(0xc0, Buffer.from([8, 0, 9, 0, 9, 3, 1])), scan, eoi])],
  ['two components', jpeg({ components: 2 })],
  ['width 0', jpeg({ width: 0 })],
  ['height 0', jpeg({ height: 0 })],
  ['a picture within a picture', Buffer.concat([soi, jpeg()])],
  ['four thousand empty segments', Buffer.concat([soi, ...Array.from({ length: 4000 }, () => marker(0xfe)), jpeg().subarray(2)])],
  ['JPEG and ZIP', Buffer.concat([jpeg(), zip()])],
  ['JPEG and ZIP with a comment', Buffer.concat([jpeg(), zip('a.class', 'x'.repeat(300))])],
  ['JPEG and PDF', jpeg({ before: [marker(0xfe, '%PDF-1.4\n1 0 obj')] })],
  ['JPEG with PHP in a comment', jpeg({ before: [marker(0xfe, '<?php system($_GET[0]); ?>')] })],
  ['JPEG with JSP in a comment', jpeg({ before: [marker(0xfe, '<%= new java.util.Date() %>')] })],
  ['JPEG with HTML in a comment', jpeg({ before: [marker(0xfe, '<html><script>alert(1)</script>')] })],
  ['nothing', Buffer.alloc(0)],
]

const pixels: [string, Buffer, boolean][] = [
  // Two bytes that come about by chance in every hundredth photograph.
  ['less-than and per cent in the picture data', jpeg({ after: Buffer.concat([text('<%'), eoi]) }), true],
  ['65,500 x 65,500', jpeg({ width: 65_500, height: 65_500 }), false],
  ['65,535 x 1,000', jpeg({ width: 65_535, height: 1000 }), false],
  ['just above 50 megapixels', jpeg({ width: 10_000, height: 5001 }), false],
  ['progressive, 20,000 x 20,000', jpeg({ width: 20_000, height: 20_000, sof: 0xc2 }), false],
  ['50 megapixels', jpeg({ width: 10_000, height: 5000 }), true],
  ['65,535 x 1', jpeg({ width: 65_535, height: 1 }), true],
]

const accepted: [string, Buffer][] = [
  ['baseline', jpeg()],
  ['without data after the scan header', jpeg().subarray(0, -5)],
  ['progressive', jpeg({ sof: 0xc2 })],
  ['grey', jpeg({ components: 1 })],
  ['four colours', jpeg({ components: 4 })],
  ['with Exif', jpeg({ before: [marker(0xe1, Buffer.concat([text('Exif\0\0'), Buffer.alloc(60_000)]))] })],
  ['with a long colour profile', jpeg({ before: Array.from({ length: 40 }, () => marker(0xe2, Buffer.alloc(65_000))) })],
  ['with XMP', jpeg({ before: [marker(0xe1, 'http://ns.adobe.com/xap/1.0/\0<?xpacket begin=""?><x:xmpmeta/>')] })],
  ['with fill bytes', jpeg({ before: [Buffer.from([0xff, 0xff, 0xff])] })],
  ['followed by a second picture, as telephones do', jpeg({ after: Buffer.concat([eoi, jpeg()]) })],
  ['without its end', jpeg({ after: Buffer.alloc(0) })],
]

const long = 'x'.repeat(300)
/** Names as sent, and as stored; null for refused ones. */
const names: [string, string | null][] = [
  ['photo.jpg', 'photo.jpg'],
  ['PHOTO.JPEG', 'PHOTO.JPEG'],
  ['photo.jfif', 'photo.jfif'],
  ['photo', 'photo.jpg'],
  ['', 'file.jpg'],
  ['.', 'file.jpg'],
  ['..', 'file.jpg'],
  ['...', 'file.jpg'],
  ['.jpg', 'jpg.jpg'],
  ['.htaccess.jpg', 'htaccess.jpg'],
  ['../../etc/passwd.jpg', 'passwd.jpg'],
  ['..\\..\\windows\\win.jpg', 'win.jpg'],
  ['/etc/cron.d/x.jpg', 'x.jpg'],
  ['C:\\Users\\ann\\photo.jpg', 'photo.jpg'],
  ['a/b\\c/d.jpg', 'd.jpg'],
  ['folder/', 'file.jpg'],
  ['ev\u0000il.jpg', 'evil.jpg'],
  ['evil.php\u0000.jpg', 'evil.php.jpg'],
  ['tab\tand\u0007bell.jpg', 'tabandbell.jpg'],
  ['del\u007f\u0085.jpg', 'del.jpg'],
  ['photo\u202egpj.exe.jpg', 'photogpj.exe.jpg'],
  ['\u2066iso\u2069lated.jpg', 'isolated.jpg'],
  ['zero\u200bwidth\u200d.jpg', 'zerowidth.jpg'],
  ['\ufeffmark.jpg', 'mark.jpg'],
  ['line\u2028end\u2029.jpg', 'lineend.jpg'],
  ['e\u0301te\u0301.jpg', '\u00e9t\u00e9.jpg'],
  ['ä ö ü ß.jpg', 'ä ö ü ß.jpg'],
  ['写真.jpg', '写真.jpg'],
  ['صورة.jpg', 'صورة.jpg'],
  ['🦊.jpg', '🦊.jpg'],
  ['a  b   c.jpg', 'a b c.jpg'],
  [' . photo.jpg', 'photo.jpg'],
  ['photo.jpg . ', 'photo.jpg'],
  ['<script>.jpg', '<script>.jpg'],
  ["o'brien; drop table.jpg", "o'brien; drop table.jpg"],
  ['%2e%2e%2fx.jpg', '%2e%2e%2fx.jpg'],
  ['con.jpg', 'con.jpg'],
  ['photo.jpg.exe', null],
  ['photo.exe', null],
  ['photo.png', null],
  ['photo.html', null],
  ['photo.svg', null],
  ['photo.jpg.', 'photo.jpg'],
  ['photo.tar.jpg', 'photo.tar.jpg'],
  [`${long}.jpg`, `${long.slice(0, 196)}.jpg`],
  [long, `${long.slice(0, 196)}.jpg`],
  [`${'🦊'.repeat(300)}.jpg`, `${'🦊'.repeat(196)}.jpg`],
]

const asJpeg = (label: string) => `${label.replace(/\W+/g, '-')}.jpg`

/** Disguised types, broken and double files, sizes in pixels, and names; with the good ones that must pass. */
export const hostileFiles: HostileFile[] = [
  ...disguised.map(([label, content]) => ({
    label: `disguised: ${label}`,
    name: asJpeg(label),
    content,
    expected: { status: 415 as const },
  })),
  ...broken.map(([label, content]) => ({ label: `broken: ${label}`, name: asJpeg(label), content, expected: { status: 415 as const } })),
  ...pixels.map(([label, content, fits]) => ({
    label: `pixels: ${label}`,
    name: 'p.jpg',
    content,
    expected: fits ? { kept: 'p.jpg' } : { status: 422 as const },
  })),
  ...accepted.map(([label, content]) => ({ label: `good: ${label}`, name: 'good.jpg', content, expected: { kept: 'good.jpg' } })),
  ...names.map(([name, kept]) => ({
    label: `name: ${JSON.stringify(name).slice(0, 60)}`,
    name,
    content: jpeg(),
    expected: kept === null ? { status: 415 as const } : { kept },
  })),
]
