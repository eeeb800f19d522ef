import { limits } from '@tessera/contract/limits'

/** Control, bidirectional and invisible characters: a name must not be deceptive. Within a name, Persian, Indic scripts and emoji need both joiners. */
const invisible = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/gu

/** The name as it is stored and offered: without a path, NFC, not too long; '' when nothing is left. */
export function cleanFileName(given: string) {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
  const name = last
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    // Without the lookbehind, a name with 80,000 dots in the middle takes seconds.
    .replace(/^[. \u200C\u200D]+|(?<![. \u200C\u200D])[. \u200C\u200D]+$/g, '')
  return shorten(name)
}

/**
 * Browsers write a quotation mark and a line break in the file name of a form as %22, %0D and %0A (HTML, multipart/form-data). A name that really
 * has one of these three looks the same, but is much rarer than one with quotation marks.
 */
export function fileNameOfForm(escaped: string) {
  return escaped.replace(/%22|%0D|%0A/g, decodeURIComponent)
}

/** Shortens the name before the extension, never within a character. */
function shorten(name: string) {
  const characters = [...name]
  if (characters.length <= limits.attachmentName) return name
  const extension = [...extensionOf(name)]
  const kept = extension.length > 0 && extension.length <= 16 ? ['.', ...extension] : []
  return [...characters.slice(0, limits.attachmentName - kept.length), ...kept].join('')
}

/** Without the dot, as it is written; '' without one. */
export function extensionOf(name: string) {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1)
}

/** RFC 6266: a name that any client can read, and the whole name for those that know `filename*`. */
export function fileDisposition(name: string, way: 'attachment' | 'inline') {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%/]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${way}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
