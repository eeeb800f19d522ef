/** A random UUID; `crypto.randomUUID` exists only under https and on localhost. */
export function uuid() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const marked = bytes.map((byte, position) => {
    // RFC 9562: version 4 in the first half of byte 6, the variant in the first two bits of byte 8.
    if (position === 6) return 0x40 | (byte & 0x0f)
    return position === 8 ? 0x80 | (byte & 0x3f) : byte
  })
  const digits = marked.map(byte => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
