import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useTicked } from './use-ticked.ts'

/** The hook over a store that answers when the test says so, with the version after the one that was sent. */
function shown(text: string) {
  const saves: { text: string; version: number; answer: PromiseWithResolvers<number> }[] = []
  const store = (text: string, version: number) => {
    const answer = Promise.withResolvers<number>()
    saves.push({ text, version, answer })
    return answer.promise
  }
  const { result, rerender } = renderHook(({ stored }) => useTicked(stored, store), { initialProps: { stored: { text, version: 1 } } })
  return {
    saves,
    text: () => result.current[0],
    tick: (text: string) => act(async () => result.current[1](text)),
    arrive: (text: string, version = 1) => rerender({ stored: { text, version } }),
    succeed: (save: number) => act(async () => saves[save]?.answer.resolve(saves[save].version + 1)),
    fail: (save: number) => act(async () => saves[save]?.answer.reject(new Error('refused'))),
  }
}

test('a second tick still shows when the text of the first arrives, and until its own text does', async () => {
  const field = shown('[ ] a [ ] b')
  await field.tick('[x] a [ ] b')
  await field.tick('[x] a [x] b')
  await field.succeed(0)
  field.arrive('[x] a [ ] b')
  expect(field.text()).toBe('[x] a [x] b')
  await field.succeed(1)
  expect(field.text()).toBe('[x] a [x] b')
  field.arrive('[x] a [x] b')
  expect(field.text()).toBe('[x] a [x] b')
  expect(field.saves.map(({ text }) => text)).toEqual(['[x] a [ ] b', '[x] a [x] b'])
})

test('what is stored afterwards is shown, even if it is the text from before the tick', async () => {
  const field = shown('[ ] a')
  await field.tick('[x] a')
  await field.succeed(0)
  field.arrive('[x] a')
  field.arrive('[ ] a')
  expect(field.text()).toBe('[ ] a')
})

test('when a tick is refused the stored text is shown again, later ticks based on it are not sent, and the next one is', async () => {
  const field = shown('[ ] a [ ] b')
  await field.tick('[x] a [ ] b')
  await field.tick('[x] a [x] b')
  await field.fail(0)
  expect(field.text()).toBe('[ ] a [ ] b')
  expect(field.saves).toHaveLength(1)
  await field.tick('[ ] a [x] b')
  expect(field.saves.map(({ text }) => text)).toEqual(['[x] a [ ] b', '[ ] a [x] b'])
  expect(field.text()).toBe('[ ] a [x] b')
})

test('a pending tick is sent with the version that it was made on, not with one that arrived meanwhile', async () => {
  const field = shown('[ ] a [ ] b')
  await field.tick('[x] a [ ] b')
  await field.tick('[x] a [x] b')
  // Somebody else has saved, and this page hears of that before the first tick is answered.
  field.arrive('theirs', 3)
  await field.succeed(0)
  expect(field.saves.map(({ version }) => version)).toEqual([1, 2])
  await field.fail(1)
  expect(field.text()).toBe('theirs')
  await field.tick('theirs [x]')
  expect(field.saves[2]).toMatchObject({ text: 'theirs [x]', version: 3 })
})
