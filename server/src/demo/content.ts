// The texts of the demo: Larkfield runs shared bicycles in a harbor town. Everything here is made up.

export const day = 86_400_000

export interface Person {
  login: string
  fullName: string
  givenName: string
  role: string
  super?: boolean
  admin?: boolean
  manager?: boolean
}

export const people = [
  {
    login: 'mara',
    fullName: 'Mara Lindqvist',
    givenName: 'Mara',
    role: 'super user, administrator of Larkfield',
    super: true,
    admin: true,
  },
  { login: 'greta', fullName: 'Greta Olsen', givenName: 'Greta', role: 'manages the organization and its people', manager: true },
  { login: 'priya', fullName: 'Priya Raman', givenName: 'Priya', role: 'leads Rider App, with every permission there' },
  { login: 'tomasz', fullName: 'Tomasz Zieliński', givenName: 'Tomasz', role: 'builds the station firmware and helps the app' },
  { login: 'samuel', fullName: 'Samuel Okafor', givenName: 'Samuel', role: 'leads City Operations' },
  { login: 'aiko', fullName: 'Aiko Tanaka', givenName: 'Aiko', role: 'designs the app and leads the website' },
  { login: 'lena', fullName: 'Lena Brandt', givenName: 'Lena', role: 'reports and comments, changes nothing' },
  { login: 'noor', fullName: 'Noor Haddad', givenName: 'Noor', role: 'repairs in the streets: a contributor of City Operations' },
  { login: 'victor', fullName: 'Victor Hale', givenName: 'Victor', role: 'reads the website project, his only one' },
] as const satisfies Person[]
export type Login = (typeof people)[number]['login']

export interface Epic {
  title: string
  about: string
  /** Each with the thing its parts are about. */
  stories: [title: string, thing: string][]
}

export interface Project {
  title: string
  shortCode: string
  /** Permission ids by login; 'all' is every one. */
  members: Partial<Record<Login, 'all' | 'contributor' | number[]>>
  /** The people who do the work. */
  team: Login[]
  components: string[]
  /** `%` is the thing of the story. */
  tasks: string[]
  epics: Epic[]
}

export const types = ['Epic', 'Story', 'Task', 'Bug'] as const
export const states = [
  { name: 'Idea', phase: 1 },
  { name: 'Ready', phase: 1 },
  { name: 'In progress', phase: 2 },
  { name: 'In review', phase: 2 },
  { name: 'Blocked', phase: 2 },
  { name: 'Done', phase: 3 },
  { name: 'Declined', phase: 3 },
] as const
export const transitions: [from: number, to: number][] = [
  [0, 1],
  [0, 6],
  [1, 0],
  [1, 2],
  [1, 6],
  [2, 1],
  [2, 3],
  [2, 4],
  [3, 2],
  [3, 4],
  [3, 5],
  [4, 2],
  [4, 6],
  [5, 2],
  [6, 0],
]

/** Faults, at the root of the projects. */
export const bugs: Record<string, string[]> = {
  RIDE: [
    'Price shown in cents after changing the language',
    'Map jumps to 0,0 when location is switched off during a ride',
    'Two push messages for one booking',
    'Ride list is empty after midnight on the first of the month',
    'Code scanner stays black after a phone call',
    'Telephone buzzes twice when I book',
  ],
  DOCK: [
    'Display shows yesterday’s date until the first booking',
    'Bolt moves twice when the tag is read at the edge of the field',
    'Clock runs four minutes fast after a week without network',
    'Station 118 restarts at 03:10 every night',
    'Station 118 is gone for a minute in the small hours',
  ],
  OPS: ['Plan of moves lists station 41 twice', 'Van 2 does not appear on the map before noon', 'Repair order without a bicycle number'],
  WEB: ['Cookie notice covers the sign-in button on small phones', 'Old logo in the favicon of the press page'],
  GRANT: ['Form loses the third attachment'],
}

/** `%` is the thing, `{ticket}` the key of another ticket and `{person}` the login of somebody else. */
export const remarks = [
  'I had a look at %. The simple version covers what people asked for; I would leave the rest for later.',
  'Talked to the crew about % this morning. They would rather have it this week and rough than next month and perfect.',
  'Numbers for %: 41 cases in the last seven days, 33 of them before nine in the morning.',
  'Could not reproduce it on the bench, but at quay 2 I see it at every third try. Log is attached to my mail.',
  'We agreed in the Tuesday round: % goes first, everything else waits for the permit.',
  'This is ready for a second pair of eyes. Please look at the empty state in particular.',
  'Two open questions about %:\n\n1. Who answers when a rider calls at night?\n2. Do we keep the old way for those without a phone?',
  'Checked on the oldest phone we support. It is slow, but it works, and nothing moves under the finger anymore.',
  'I moved the deadline by two days, the parts came without screws.',
  'Thanks, that was it. It has been quiet since Thursday.',
  '@{person}, can you say whether the district office wants a drawing of % or whether the photo will do?',
  'Tried it with four riders at the ferry. All of them found %; two asked what it costs.',
  'Please do not close this before the next rain.',
  'Done as discussed. I left a note in the manual, page 12.',
  'Before we call % done:\n\n- [x] tried at two stations\n- [x] text read by somebody who does not work here\n- [ ] answer of the district office\n- [ ] note for the evening shift',
  'What I changed in %:\n\n- the wait is **two seconds** instead of ten\n- a second try only when the first one got *no* answer\n- nothing at all when the station says it is full',
  'This is all that the log has:\n\n```json\n{\n  "station": 118,\n  "event": "lock_timeout",\n  "after_ms": 5000,\n  "retries": 3\n}\n```\n\nSo the limit is reached, and nobody is told.',
  'Looks like the same cause as in {ticket}. I would do that one first and then see what is left of %.',
  '> rough this week is better than perfect next month\n\nAgreed. See {ticket} for what we left out the last time.',
  '@{person} please have a look, you know % better than I do.',
]
