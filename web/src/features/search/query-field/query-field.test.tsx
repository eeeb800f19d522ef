import { parse } from '@tessera/contract/query-language/parse'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../../test/show.tsx'
import { CallError } from '../../../lib/calls/api.ts'
import { chipsOf, textOfChips, withChip, withoutChip } from './chips.ts'
import { QueryField } from './query-field.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const meaningOf = (text: string) => {
  const { where, sort } = parse(text)
  return { where, sort }
}

test('chips and text of a query stay equal, whichever is changed', () => {
  expect(chipsOf('state:open "red boat" (a or b) -c sort:-id,title').map(({ text }) => text)).toEqual([
    'state:open',
    '"red boat"',
    'a or b',
    '-c',
    'sort:-id',
    'sort:title',
  ])
  expect(withChip(chipsOf('a or b'), 1, 'c')).toBe('(a or b) c')
  expect(withChip(chipsOf('a b'), 0, 'x or y sort:id')).toBe('(x or y) b sort:id')
  expect(withChip(chipsOf('a b'), 1, '')).toBe('a')
  expect(withoutChip(chipsOf('(a or b) c'), 1)).toBe('a or b')
  const terms = ['word', '"a phrase"', 'state:open,"in progress"', 'cost:>3', 'due:1..2', '(a or b)', '-(c d)', 'sort:-id']
  for (const first of terms) {
    for (const second of terms) {
      const text = `${first} ${second}`
      expect(meaningOf(textOfChips(chipsOf(text)))).toEqual(meaningOf(text))
      expect(meaningOf(withChip(chipsOf(first), 9, second))).toEqual(meaningOf(text))
    }
  }
})

/** A field whose query is asked at once; `answer` is what the server says about it. */
function showField(first: string, answer: (query: string) => CallError | null = () => null) {
  const asked: string[] = []
  function Page() {
    const [query, setQuery] = useState(first)
    const ask = (next: string) => {
      asked.push(next)
      setQuery(next)
    }
    return <QueryField value={query} onChange={ask} error={answer(query)} />
  }
  return { ...show(<Page />), asked }
}
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Query' })

test('a query runs after a pause in typing or at Enter; an error stays in the field and its position is shown', async () => {
  const { user, asked } = showField('')
  // In one step: on a busy machine every letter could be followed by a pause.
  fireEvent.change(field(), { target: { value: 'red' } })
  expect(asked).toEqual([])
  await waitFor(() => expect(asked).toEqual(['red']))
  await user.click(field())
  fireEvent.change(field(), { target: { value: 'red (boat' } })
  expect(screen.queryByRole('alert')).toBeNull()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('alert').textContent).toContain('This parenthesis is not closed, at character 5')
  expect([field().value, field().getAttribute('aria-invalid')]).toEqual(['red (boat', 'true'])
  await user.type(field(), '){Enter}')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(asked).toEqual(['red', 'red (boat)'])
})

test('the suggested names replace an unknown one', async () => {
  const body = { error: "There is nothing named 'stat'", code: 'query', Position: 2, Length: 4, Nearest: ['state', 'text'] }
  const { user, asked } = showField('a stat:open', query => (query.includes('stat:') ? new CallError(400, body) : null))
  expect(screen.getByRole('alert').textContent).toContain("There is nothing named 'stat', at character 3")
  screen.getByRole('button', { name: 'state' }).focus()
  await user.keyboard('{Enter}')
  expect([asked, field().value]).toEqual([['a state:open'], 'a state:open'])
  expect(document.activeElement).toBe(field())
  expect(screen.queryByRole('alert')).toBeNull()
})

test('chips are changed, removed and added by keyboard, and chips and text lose nothing', async () => {
  const { user, asked } = showField('is:open boat sort:-id')
  const chips = () => screen.getAllByRole('button', { name: /^Change/ }).map(button => button.textContent)
  await user.click(screen.getByRole('button', { name: 'Chips' }))
  expect(chips()).toEqual(['is:open', 'boat', 'sort:-id'])

  screen.getByRole('button', { name: 'Change boat' }).focus()
  await user.keyboard('{Enter}')
  await user.keyboard(' or (ship')
  await user.keyboard('{Enter}')
  expect(screen.getByRole('alert').textContent).toContain('not closed')
  await user.keyboard('){Enter}')
  expect([asked.at(-1), document.activeElement]).toEqual(['is:open (boat or ship) sort:-id', field()])

  screen.getByRole('button', { name: 'Remove is:open' }).focus()
  await user.keyboard('{Enter}')
  expect([asked.at(-1), document.activeElement]).toEqual(['boat or ship sort:-id', field()])
  await user.keyboard('-red{Enter}')
  expect(asked.at(-1)).toBe('(boat or ship) -red sort:-id')

  // So do words that are left without Enter.
  await user.keyboard('fast')
  await user.tab()
  expect(asked.at(-1)).toBe('(boat or ship) -red fast sort:-id')
  await user.click(screen.getByRole('button', { name: 'Remove fast' }))
  await user.click(field())

  await user.keyboard('half:')
  await user.click(screen.getByRole('button', { name: 'Chips' }))
  expect(field().value).toBe('(boat or ship) -red sort:-id half:')
  await user.click(screen.getByRole('button', { name: 'Chips' }))
  expect(field().value).toBe('(boat or ship) -red sort:-id half:')
  expect(screen.getByRole('alert').textContent).toContain('A value is missing here')
})

test('Escape in a chip discards what was typed there', async () => {
  localStorage.setItem('tessera.query-chips', 'on')
  const asked: string[] = []
  const { user } = show(<QueryField value="state:open red" onChange={query => asked.push(query)} />)
  await user.click(screen.getByRole('button', { name: 'Change red' }))
  await user.keyboard('blue{Escape}')
  expect(screen.getByRole('button', { name: 'Change red' })).toBeDefined()
  expect(asked).toEqual([])
})
