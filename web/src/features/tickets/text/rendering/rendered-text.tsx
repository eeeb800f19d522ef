import type { TicketLabel } from '@tessera/contract/projects/labels'
import { parse, type Token, tickTask } from '@tessera/contract/text/markdown'
import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import { createElement, type ReactNode, useMemo } from 'react'
import { Link } from '../../../../components/link/link.tsx'
import type { Ticket } from '../../ticket.ts'
import { useNamed } from '../use-named.ts'
import { attachmentIn, ForeignLink } from './address.tsx'
import { CodeBlock } from './code-block.tsx'
import { Picture } from './picture.tsx'
import { PlainText } from './plain-text.tsx'
import styles from './rich-text.module.css'
import { elementCost, type Room, useDrawnPart } from './use-drawn-part.ts'

export interface RichTextProps {
  /** Markdown, as it is stored. */
  text: string
  ticket: Ticket
  /** Without it, tasks are read-only. */
  onTick?: ((text: string) => void) | undefined
  /** How much is drawn at once, in characters. */
  firstPart?: number | undefined
}

/** Maximum nesting of elements; deeper ones are left out, but not their text. */
const deepest = 48

interface Frame {
  token: Token
  children: ReactNode[]
  /** The element is left out, and its children become those of its parent. */
  isFlat: boolean
}

/** Markdown as React elements. No HTML string is ever built from a text: only the elements created here can occur. */
export function RenderedText({ text, ticket, onTick, firstPart }: RichTextProps) {
  const tokens = useMemo(() => parse(text), [text])
  const named = useNamed(ticket.idTicket, tokens)
  if (!tokens) return <PlainText text={text} firstPart={firstPart} />
  const context = { ticket, named, onTick: onTick && ((task: Token) => onTick(tickTask(text, task))) }
  return <Tokens tokens={tokens} context={context} firstPart={firstPart} />
}

interface TokensProps {
  tokens: readonly Token[]
  context: Omit<Context, 'room'>
  firstPart: number | undefined
}

function Tokens({ tokens, context, firstPart }: TokensProps) {
  const drawn = useDrawnPart(room => build(tokens, { ...context, room }, 0), firstPart)
  return <div className={styles.text}>{drawn}</div>
}

interface Context {
  room: Room
  ticket: RichTextProps['ticket']
  named: ReturnType<typeof useNamed>
  onTick: ((task: Token) => void) | undefined
}

/** Adds the elements for the tokens to `root`, while there is room; an element's index in the list is its key. */
function build(tokens: readonly Token[], context: Context, depth: number, root: ReactNode[] = []): ReactNode[] {
  const { room } = context
  const open: Frame[] = []
  const close = () => {
    const frame = open.pop()
    if (!frame || frame.isFlat) return
    const outer = open.at(-1)?.children ?? root
    outer.push(element(frame, context, outer.length))
  }
  for (const token of tokens) {
    if (room.left < 0) break
    const into = open.at(-1)?.children ?? root
    if (token.nesting === 1) {
      room.left -= elementCost
      const isFlat = token.hidden || !isKnown(token) || depth + open.length >= deepest
      open.push({ token, children: isFlat ? into : [], isFlat })
    } else if (token.nesting === 0) {
      if (token.type === 'inline') build(token.children ?? [], context, depth + open.length, into)
      else {
        into.push(leaf(token, context, into.length))
        room.left -= token.content.length + elementCost
      }
    } else close()
  }
  // Closes an element that is cut off.
  while (open.length > 0) close()
  return root
}

/** Headings begin below the page's own. Strikethrough is `del`, as GFM has it. */
const renamed: Record<string, string> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6', s: 'del' }
const plain = new Set(['p', 'blockquote', 'ul', 'thead', 'tbody', 'tr', 'em', 'strong'])
/** Their marks are on the side where their text begins. */
const sided = new Set(['ul', 'blockquote'])
const special = new Set(['a', 'ol', 'li', 'table', 'th', 'td'])
/** An address may be empty. */
const isKnown = (token: Token) =>
  token.tag === 'a' ? Boolean(token.attrGet('href')) : plain.has(token.tag) || special.has(token.tag) || token.tag in renamed

function element({ token, children }: Frame, context: Context, key: number): ReactNode {
  const { tag } = token
  if (plain.has(tag)) return createElement(tag, { key, ...(sided.has(tag) && { dir: 'auto' }) }, ...children)
  const other = renamed[tag]
  if (other) return createElement(other, { key }, ...children)
  switch (tag) {
    case 'a':
      return (
        <Address key={key} address={String(token.attrGet('href') ?? '')} ticket={context.ticket}>
          {children}
        </Address>
      )
    case 'ol':
      return (
        <ol key={key} dir="auto" start={Number(token.attrGet('start') ?? 1)}>
          {children}
        </ol>
      )
    case 'li':
      return (
        <li key={key} className={token.attrGet('class') === 'task' ? styles.task : undefined}>
          {children}
        </li>
      )
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        // biome-ignore lint/a11y/useSemanticElements: no part of a form, and no landmark: a page may have many tables
        <section key={key} role="group" aria-label="Table" tabIndex={0} className={styles.scroll}>
          <table dir="auto">{children}</table>
        </section>
      )
    default:
      return createElement(tag, { key, 'data-align': alignment(token) }, ...children)
  }
}

function alignment(token: Token) {
  return /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1]
}

function leaf(token: Token, context: Context, key: number): ReactNode {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return <br key={key} />
    case 'code_inline':
      return <code key={key}>{token.content.slice(0, context.room.left)}</code>
    case 'fence':
    case 'code_block':
      return <CodeBlock key={key} code={token.content.replace(/\n$/, '')} language={token.info.trim().split(/\s/, 1)[0] ?? ''} />
    case 'hr':
      return <hr key={key} />
    case 'image':
      return <Picture key={key} address={String(token.attrGet('src') ?? '')} name={token.content} ticket={context.ticket} />
    case 'ticket':
      return <TicketName key={key} name={token.content} ticket={context.named.ticketOf(token.content)} />
    case 'person':
      return <PersonName key={key} name={token.content} person={context.named.personOf(token.content)} />
    case 'label':
      return <LabelName key={key} name={token.content} label={context.named.labelOf(token.content)} ticket={context.ticket} />
    case 'task':
      return <Task key={key} task={token} onTick={context.onTick} />
    default:
      return token.content.slice(0, context.room.left)
  }
}

/** A link for people who may see the ticket. */
function TicketName({ name, ticket }: { name: string; ticket: { id: number; Title: string } | undefined }) {
  if (!ticket) return name
  return (
    <Link to={`/view-ticket/${ticket.id}`} title={ticket.Title} underlined>
      {name}
    </Link>
  )
}

function PersonName({ name, person }: { name: string; person: { Name: string } | undefined }) {
  if (!person) return name
  return (
    <span data-name="" title={person.Name} className={styles.person}>
      {name}
    </span>
  )
}

/** A link to the project's tickets with this label. */
function LabelName({ name, label, ticket }: { name: string; label: TicketLabel | undefined; ticket: RichTextProps['ticket'] }) {
  if (!label) return name
  return (
    <Link to={`/view-project/${ticket.idProject}?label=${label.idLabel}`} title={`Tickets with the label ${label.Label}`} underlined>
      {name}
    </Link>
  )
}

function Task({ task, onTick }: { task: Token; onTick: Context['onTick'] }) {
  const { isDone, name } = task.meta as { isDone: boolean; name: string }
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={name.slice(0, 100)}
      checked={isDone}
      disabled={!onTick}
      onChange={() => onTick?.(task)}
    />
  )
}

function Address({ address, ticket, children }: { address: string; ticket: RichTextProps['ticket']; children: ReactNode }) {
  const idAttachment = attachmentIn(address)
  if (idAttachment === undefined) return <ForeignLink address={address}>{children}</ForeignLink>
  if (!ticket.Attachments.some(({ id }) => id === Number(idAttachment))) return children
  return (
    <Link to={`${attachmentDownload.path}?id=${idAttachment}`} target="_blank" rel="noopener" underlined>
      {children}
    </Link>
  )
}
