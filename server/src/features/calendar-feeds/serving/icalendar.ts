// The text format of calendars, RFC 5545, as far as a feed needs it.

/** One content line: a name, with parameters if any, and a value that is already written as its type demands. */
export type Property = readonly [name: string, value: string]

/** A value of the type TEXT. Of control characters it may have only the tab. */
export function textValue(text: string) {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n?|[\n\u2028\u2029]/g, '\\n')
    .replaceAll(/(?!\t)\p{Cc}/gu, '')
}

/** A value of the type DATE for a day such as `2026-12-01`. */
export function dateValue(day: string) {
  return day.replaceAll('-', '')
}

/** A value of the type DATE-TIME, in UTC. */
export function momentValue(moment: Date) {
  return moment.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

/** A calendar with these properties and events. */
export function calendarText(properties: readonly Property[], events: readonly (readonly Property[])[]) {
  const lines: readonly Property[] = [
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', '-//Tessera//Calendar feed//EN'],
    ...properties,
    ...events.flatMap(event => [['BEGIN', 'VEVENT'], ...event, ['END', 'VEVENT']] as Property[]),
    ['END', 'VCALENDAR'],
  ]
  return lines.map(([name, value]) => `${folded(`${name}:${value}`)}\r\n`).join('')
}

/** Octets of a line without its end. */
const longest = 75

/** The line in pieces that are not too long. Each one but the first begins with a space; no character is split. */
function folded(line: string) {
  if (Buffer.byteLength(line) <= longest) return line
  let text = ''
  let length = 0
  for (const character of line) {
    const octets = Buffer.byteLength(character)
    if (length + octets > longest) {
      text += '\r\n '
      length = 1
    }
    text += character
    length += octets
  }
  return text
}
