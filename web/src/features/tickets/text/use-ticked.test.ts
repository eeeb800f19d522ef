import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useTicked } from './use-ticked.ts'

/** The hook over a store that answers when the test says so. */
function shown(stored: string) {
  const saves: { text: string; answer: PromiseWithResolvers<void> }[] = []
  const store = (text: string) => {
    const answer = Promise.withResolvers<void>()
    saves.push({ text, answer })
    return answer.promise
  }
  const { result, rerender } = renderHook(({ stored }) => useTicked(stored, store), { initialProps: { stored } })
  return {
    saves,
    text: () => result.current[0],
    tick: (text: string) => act(async () => result.current[1](text)),
    arrive: (stored: string) => rerender({ stored }),
    succeed: (save: number) => act(async () => saves[save]?.answer.resolve()),
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

test('when a tick is refused the stored text shows again, what was built on it is not sent, and the next tick is', async () => {
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
