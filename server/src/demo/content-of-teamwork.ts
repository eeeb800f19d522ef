import type { LinkKind } from '@tessera/contract/tickets/links'

export interface Label {
  name: string
  color: string
}

/** Offered in every project of an organization. */
export const organizationLabels: Label[] = [
  { name: 'Quick win', color: '#74b816' },
  { name: 'Asked for by riders', color: '#1c5fd4' },
  { name: 'Needs a permit', color: '#e8590c' },
]

/** A project's own labels, by its short code. */
export const projectLabels: Record<string, Label[]> = {
  RIDE: [
    { name: 'Accessibility', color: '#6d28d9' },
    { name: 'Needs design', color: '#d6336c' },
    { name: 'Payments', color: '#2b8a3e' },
  ],
  DOCK: [
    { name: 'Winter', color: '#4dabf7' },
    { name: 'Hardware', color: '#8a5a2b' },
    { name: 'Field test', color: '#0c8599' },
  ],
  OPS: [
    { name: 'Needs a van', color: '#f5b800' },
    { name: 'Night shift', color: '#6d28d9' },
    { name: 'Safety', color: '#d92d20' },
  ],
  WEB: [
    { name: 'Words', color: '#607d8b' },
    { name: 'Pictures', color: '#0c8599' },
  ],
  GRANT: [{ name: 'For the board', color: '#1c5fd4' }],
}

/** Links between tickets with these titles, some across projects. */
export const links: [from: string, kind: Extract<LinkKind, 'blocks' | 'duplicates' | 'relates'>, to: string][] = [
  ['Telephone buzzes twice when I book', 'duplicates', 'Two push messages for one booking'],
  ['Station 118 is gone for a minute in the small hours', 'duplicates', 'Station 118 restarts at 03:10 every night'],
  ['Display shows yesterday’s date until the first booking', 'relates', 'Refresh the display only on a change'],
  ['Code scanner stays black after a phone call', 'relates', 'Start the camera before the map has loaded'],
  ['Report a bicycle that will not lock', 'relates', 'Compare the tag with the switch'],
  ['Report ice to City Operations', 'relates', 'Plan of moves on the crew’s phones'],
  ['Show what a ride will cost before it starts', 'relates', 'Price table for visitors, residents, students'],
  ['Plan of moves lists station 41 twice', 'relates', 'Plan of moves on the crew’s phones'],
  ['Move the bus stop sign at the canteen', 'blocks', 'Sixty bicycles from the winter store'],
  ['Contract with the photographer', 'blocks', 'Press kit with ten pictures'],
  ['Signed images from the build server', 'blocks', 'Update over the mesh when the mobile network is down'],
]

/** The defaults of a new story: a text, and the tasks that every story needs. */
export const storyDefaults = {
  text: '## Who needs it, and what for\n\n\n\n## Finished when\n\n- [ ] somebody who has not read this ticket can use it\n- [ ] City Operations knows what to say about it\n',
  tasks: ['Agree on what is left out', 'Build it', 'Try it with two riders'],
}

export function epicDetails(about: string, isDone: boolean) {
  const box = isDone ? '[x]' : '[ ]'
  return `${about}\n\n## Finished when\n\n- [x] the numbers of last year are on the wall\n- ${box} every story below is done or declined\n- ${box} the **Tuesday round** has seen it at a station`
}

/** `epic` is the key of the epic that the story belongs to. */
export function storyDetails(about: string, thing: string, epic: string) {
  return `${about}\n\nThis ticket is about **${thing}**, a part of ${epic}. It is finished when\n\n- a person who has not read it can use it, and\n- City Operations knows what to say about it.`
}

export function bugDetails(title: string, hasLog: boolean) {
  const log =
    '\n\nThe log of that minute:\n\n```text\n03:10:02 request accepted\n03:10:07 no answer, trying again\n03:10:12 gave up after 2 tries\n```'
  return `**What happens:** ${title}.\n**What should happen:** nothing of the kind.\n\n1. Begin as somebody new would.\n2. Do the same again within five minutes.\n3. Compare the two.${hasLog ? log : ''}\n\nSeen by two people on different days.`
}
