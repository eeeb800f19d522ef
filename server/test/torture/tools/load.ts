import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '@tessera/contract/people/users'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { jpeg } from '../../fixtures/pictures.ts'
import type { Answer, Browser, Staff } from './product.ts'

/** The acknowledged writes; none of them may ever be missing. */
export type Acknowledged =
  | { kind: 'save'; idTicket: number; field: string; value: string }
  | { kind: 'comment'; idTicket: number; idComment: number; text: string }
  | { kind: 'create'; idTicket: number; title: string }
  | { kind: 'upload'; idTicket: number; id: number; sha256: string }
  | { kind: 'mail'; login: string }

interface Refused {
  status: number
  retryAfter: string | null
  milliseconds: number
  error: string
}

/** Writers that run until stopped and record what was acknowledged. `goesOnAfterErrors` writers continue after an error. */
export async function startLoad(staff: Staff, { goesOnAfterErrors = false, kinds = 10 } = {}) {
  const { project, people } = staff
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
  for (let made = 0; made < 4; made++) shared.push(((await create(first, `Shared ${made}`)).body as number[])[0] as number)

  function create(person: Browser, Title: string) {
    return person.post(createNewTicket, { idProject: project.projectId, idTemplate: project.templates.bug, Title })
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
    switch (number % kinds) {
      case 0:
      case 1:
        return note(await create(person, unique), body => ({ kind: 'create', idTicket: (body as number[])[0] as number, title: unique }))
      case 2:
      case 3:
        return note(await person.post(setTicketComment, { idTicket, Comment: unique }), ({ idComment }) => {
          return { kind: 'comment', idTicket, idComment, text: unique }
        })
      case 4: {
        if (shelf.files >= 90) {
          const made = await create(person, unique)
          if (made.status === 200) shelf = { idTicket: (made.body as number[])[0] as number, files: 0 }
          return note(made, () => ({ kind: 'create', idTicket: shelf.idTicket, title: unique }))
        }
        shelf.files++
        const { idTicket: onShelf } = shelf
        // Letters hold no marker and no other file's signature.
        const content = jpeg({ after: Buffer.from(`${randomBytes(15_000).toString('base64')}\xff\xd9`, 'latin1') })
        const sha256 = createHash('sha256').update(content).digest('hex')
        const answer = await person.upload(attachmentUpload.path, onShelf, `${number}.jpg`, content)
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
