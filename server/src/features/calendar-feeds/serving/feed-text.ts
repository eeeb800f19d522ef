import { limits } from '@tessera/contract/limits'
import { phaseName } from '@tessera/contract/messages'
import { Failure } from '../../../lib/failure.ts'
import type { System } from '../../../process/system.ts'
import { dayAfter } from '../../search/dates/periods.ts'
import { clockOf } from '../../search/dates/zone.ts'
import { type FedTicket, type Feed, fedTickets } from './fed-tickets.ts'
import { calendarText, dateValue, momentValue, type Property, textValue } from './icalendar.ts'

/** How often programs are asked to read a feed again. */
const refreshed = 'PT1H'

/**
 * The feed as a calendar. The same tickets give the same text, except that a notice is always today's. A query or a field that the project no longer
 * has gives a calendar with a notice alone: a program that got an error instead would show the old tickets forever, or nothing, without a word.
 */
export async function feedText({ db, config }: System, feed: Feed): Promise<string> {
  if (feed.fieldId === null) return noticeAlone(config.publicUrl, feed, `The project no longer has the date field '${feed.fieldKey}'.`)
  try {
    const tickets = await fedTickets(db, feed, feed.fieldId)
    const total = tickets[0]?.total ?? 0
    const cut = total > tickets.length ? [cutNotice(config.publicUrl, feed, total)] : []
    return written(feed, [...cut, ...tickets.map(ticket => eventOf(config.publicUrl, feed, ticket))])
  } catch (problem) {
    if (problem instanceof Failure && problem.status === 400) return noticeAlone(config.publicUrl, feed, `${problem.message}.`)
    throw problem
  }
}

function written({ name, code, query, fieldKey, fieldLabel }: Feed, events: readonly (readonly Property[])[]) {
  const what = query.trim() === '' ? `The tickets of ${code}` : `The tickets of ${code} that this query finds: ${query}`
  const about = `${what}\nOn the days of: ${fieldLabel ?? fieldKey}`
  // Programs read either the older names that begin with X- or those of RFC 7986.
  return calendarText(
    [
      ['NAME', textValue(name)],
      ['X-WR-CALNAME', textValue(name)],
      ['DESCRIPTION', textValue(about)],
      ['X-WR-CALDESC', textValue(about)],
      ['REFRESH-INTERVAL;VALUE=DURATION', refreshed],
      ['X-PUBLISHED-TTL', refreshed],
    ],
    events,
  )
}

/** Open tickets have their key and title; inactive ones a tick before it. Days are not taken for busy ones. */
function eventOf(publicUrl: string, { organizationId, code, fieldKey }: Feed, { id, title, state, phase, day, changed }: FedTicket) {
  const mark = phase === 3 ? '✓ ' : ''
  return event(publicUrl, {
    uid: `ticket-${organizationId}-${id}-${fieldKey}`,
    day,
    changed,
    summary: `${mark}${code}-${id} ${title}`,
    description: `State: ${state} (${phaseName[phase]})`,
    more: [
      ['CATEGORIES', textValue(phaseName[phase])],
      ['URL', `${publicUrl}/view-ticket/${id}`],
    ],
  })
}

function cutNotice(publicUrl: string, feed: Feed, total: number) {
  const [shown, all] = [limits.feedTickets, total].map(count => count.toLocaleString('en'))
  return notice(
    publicUrl,
    feed,
    `Only ${shown} of ${all} tickets are in this calendar`,
    'Those of the coming days come first, then those of the past. Make a feed of a narrower query to see the others.',
  )
}

function noticeAlone(publicUrl: string, feed: Feed, problem: string) {
  const advice = 'Open the calendar of the project and make a new feed there.'
  return written(feed, [notice(publicUrl, feed, 'This calendar feed cannot show its tickets anymore', `${problem}\n${advice}`)])
}

/** An event of today in the place of tickets. */
function notice(publicUrl: string, feed: Feed, summary: string, description: string) {
  const today = dayAfter('0d', clockOf(feed.zone)) as string
  return event(publicUrl, {
    uid: `feed-${feed.organizationId}-${feed.id}`,
    day: today,
    changed: new Date(`${today}T00:00:00Z`),
    summary,
    description,
    more: [['URL', `${publicUrl}/view-project/${feed.projectId}?layout=calendar`]],
  })
}

interface Event {
  /** Unique in the installation. */
  uid: string
  day: string
  changed: Date
  summary: string
  description: string
  more: readonly Property[]
}

function event(publicUrl: string, { uid, day, changed, summary, description, more }: Event): Property[] {
  return [
    ['UID', `${uid}@${new URL(publicUrl).hostname}`],
    // Without a METHOD it is the same as LAST-MODIFIED: RFC 5545, 3.8.7.2.
    ['DTSTAMP', momentValue(changed)],
    ['LAST-MODIFIED', momentValue(changed)],
    ['DTSTART;VALUE=DATE', dateValue(day)],
    ['SUMMARY', textValue(summary)],
    ['DESCRIPTION', textValue(description)],
    ['TRANSP', 'TRANSPARENT'],
    ...more,
  ]
}
