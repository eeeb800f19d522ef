import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connstate } from '@tessera/contract/people/session'
import { createUser } from '@tessera/contract/people/users'
import { setLabel } from '@tessera/contract/projects/labels'
import { setSearch } from '@tessera/contract/projects/saved-searches'
import { setView } from '@tessera/contract/projects/views'
import { attachmentUpload, deleteAttachment, restoreAttachment } from '@tessera/contract/tickets/attachments'
import { moveOnBoard } from '@tessera/contract/tickets/board'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketLink } from '@tessera/contract/tickets/links'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { jpeg } from '../../fixtures/pictures.ts'
import type { Answer, Browser, Staff } from './product.ts'

/** The acknowledged writes; none of them may ever be missing. */
export type Acknowledged =
  | { kind: 'save'; idTicket: number; field: string; value: string }
  | { kind: 'comment'; idTicket: number; idComment: number; text: string }
  | { kind: 'create'; idTicket: number; title: string }
  | { kind: 'upload'; idTicket: number; id: number; sha256: string }
  /** Deletions or restorations of a file, `times` in all so far. */
  | { kind: 'deletion' | 'restoration'; idTicket: number; name: string; times: number }
  | { kind: 'link'; id: number }
  /** A label's new name, or the new query of a saved search. */
  | { kind: 'name' | 'query'; id: number; value: string }
  | { kind: 'mail'; login: string }

/** A file that only its owner deletes and restores; `times` it was deleted. */
interface OwnFile {
  id: number
  name: string
  times: number
  isDeleted: boolean
}

interface Refused {
  status: number
  retryAfter: string | null
  milliseconds: number
  error: string
}

function idOf(created: Answer) {
  return (created.body as number[])[0] as number
}

/** Writers that run until stopped and record what was acknowledged. `goesOnAfterErrors` writers continue after an error. */
export async function startLoad(staff: Staff, { goesOnAfterErrors = false, kinds = 16 } = {}) {
  const { project, people } = staff
  const { projectId: idProject, templates, roles } = project
  const acknowledged: Acknowledged[] = []
  const refused: Refused[] = []
  let answered = 0
  let slowest = 0
  let number = 0
  let isOn = false
  const [first] = people as [Browser]
  const shared: number[] = []
  /** Where files go: a ticket takes a hundred. */
  let shelf = { idTicket: 0, files: 90 }
  const newTicket = async (Title: string) => idOf(await create(first, Title))
  for (let made = 0; made < 4; made++) shared.push(await newTicket(`Shared ${made}`))
  let newest = [await newTicket('First'), await newTicket('Second')]
  const { idUser } = (await first.send(connstate.path)).body as { idUser: number }
  const { idLabel } = (await first.post(setLabel, { idProject, Label: 'first name', Scope: 'organization' })).body
  const naming = { Name: 'By label', Query: 'label:"first name"' }
  await first.post(setView, { idProject, ...naming })
  await first.post(setSearch, { ...naming, Scope: 'organization' })
  const { idSearch } = (await first.post(setSearch, { Name: 'By words', Query: 'first', Scope: 'organization' })).body
  const drawer = await newTicket('For files that are deleted and restored')
  const files = new Map<Browser, OwnFile>()
  for (const [index, person] of people.entries()) {
    const name = `own-${index}.jpg`
    const { answer } = await upload(person, drawer, name)
    files.set(person, { id: answer.body.id, name, times: 0, isDeleted: false })
  }

  function create(person: Browser, Title: string) {
    return person.post(createNewTicket, { idProject, idTemplate: templates.bug, Title })
  }

  async function upload(person: Browser, idTicket: number, name: string) {
    // Letters hold no marker and no other file's signature.
    const content = jpeg({ after: Buffer.from(`${randomBytes(15_000).toString('base64')}\xff\xd9`, 'latin1') })
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { answer: await person.upload(attachmentUpload.path, idTicket, name, content), sha256 }
  }

  /** Deletes this person's own file, or restores it: nobody else may restore what its owner has deleted. */
  async function deleteOrRestore(person: Browser) {
    const file = files.get(person) as OwnFile
    const { id, name, isDeleted } = file
    const answer = await person.post(isDeleted ? restoreAttachment : deleteAttachment, { idTicket: drawer, idAttachment: id })
    return note<unknown>(answer, () => {
      file.isDeleted = !isDeleted
      if (!isDeleted) file.times++
      return { kind: isDeleted ? 'restoration' : 'deletion', idTicket: drawer, name, times: file.times }
    })
  }

  function note<Body>({ status, body, retryAfter, milliseconds }: Answer<Body>, done: (body: Body) => Acknowledged) {
    slowest = Math.max(slowest, milliseconds)
    if (status === 200) {
      answered++
      acknowledged.push(done(body))
      return true
    }
    if (status !== 0) answered++
    refused.push({ status, retryAfter, milliseconds, error: JSON.stringify(body) })
    return false
  }

  async function write(person: Browser): Promise<boolean> {
    const unique = `${++number} ${randomUUID().slice(0, 8)}`
    const idTicket = shared[number % shared.length] as number
    const isEven = Math.floor(number / kinds) % 2 === 0
    switch (number % kinds) {
      case 0:
      case 1:
        return note(await create(person, unique), body => {
          const [made] = body as [number]
          newest = [newest[1] as number, made]
          return { kind: 'create', idTicket: made, title: unique }
        })
      case 2:
      case 3:
        return note(await person.post(setTicketComment, { idTicket, Comment: unique }), ({ idComment }) => {
          return { kind: 'comment', idTicket, idComment, text: unique }
        })
      case 4: {
        if (shelf.files >= 90) {
          const made = await create(person, unique)
          if (made.status === 200) shelf = { idTicket: idOf(made), files: 0 }
          return note(made, () => ({ kind: 'create', idTicket: shelf.idTicket, title: unique }))
        }
        shelf.files++
        const { idTicket: onShelf } = shelf
        const { answer, sha256 } = await upload(person, onShelf, `${number}.jpg`)
        return note(answer, ({ id }) => ({ kind: 'upload', idTicket: onShelf, id, sha256 }))
      }
      case 5: {
        const login = `made-${unique.replace(' ', '-')}`
        const input = { LoginName: login, Email: `${login}@example.com`, SendWelcome: 1 as const, ProjectAssign: [] }
        return note(await person.post(createUser, input), () => ({ kind: 'mail', login }))
      }
      case 6:
        return note(await person.post(setTicketData, { idTicket, data: { note: unique } }), () => {
          return { kind: 'save', idTicket, field: 'data.note', value: unique }
        })
      case 10: {
        const idTemplate = isEven ? templates.task : templates.bug
        const answer = await person.post(setTicketData, { idTicket, idTemplate, Title: unique })
        return note(answer, () => ({ kind: 'save', idTicket, field: 'Title', value: unique }))
      }
      case 11: {
        // To another lane, of a label and of a person.
        const Enabled = isEven ? 1 : 0
        const lanes = { Labels: [{ idLabel, Enabled } as const], TicketAssign: [{ idUser, idRole: roles.assignee, Enabled } as const] }
        const After = shared[(number + 1) % shared.length] as number
        const answer = await person.post(moveOnBoard, { idTicket, data: { note: unique }, ...lanes, After })
        return note(answer, () => ({ kind: 'save', idTicket, field: 'data.note', value: unique }))
      }
      case 12:
        return note(await person.post(setSearch, { idSearch, Query: unique }), () => ({ kind: 'query', id: idSearch, value: unique }))
      case 13:
        return note(await person.post(setLabel, { idProject, idLabel, Label: unique }), () => ({
          kind: 'name',
          id: idLabel,
          value: unique,
        }))
      case 14:
        return deleteOrRestore(person)
      case 15: {
        // From the older to the newer one, so that no link closes a cycle.
        const [from = 0, to = 0] = newest.toSorted((one, other) => one - other)
        const answer = await person.post(setTicketLink, { idTicket: from, idOther: to, Kind: 'precedes' })
        return note(answer, ({ idLink }) => ({ kind: 'link', id: idLink }))
      }
      default:
        return note(await person.post(setTicketData, { idTicket, Title: unique }), () => ({
          kind: 'save',
          idTicket,
          field: 'Title',
          value: unique,
        }))
    }
  }

  async function writer(person: Browser) {
    while (isOn) {
      if (await write(person)) continue
      if (!goesOnAfterErrors) return
      await sleep(20)
    }
  }

  return {
    acknowledged,
    refused,
    get answered() {
      return answered
    },
    get slowest() {
      return slowest
    },
    /** Starts; the returned function stops it and waits for the last request. */
    begin() {
      isOn = true
      const working = Promise.all(people.map(writer))
      return async () => {
        isOn = false
        await working
      }
    },
    async untilAcknowledged(more: number, timeout = 30_000) {
      const [goal, end] = [acknowledged.length + more, performance.now() + timeout]
      while (acknowledged.length < goal) {
        if (performance.now() > end)
          throw new Error(`only ${acknowledged.length} of ${goal} writes; last refusals ${JSON.stringify(refused.slice(-3))}`)
        await sleep(2)
      }
    },
  }
}
export type Load = Awaited<ReturnType<typeof startLoad>>
