import { expect, test } from 'vitest'

test('a test that ends with a frame pending', () => {
  requestAnimationFrame(() => expect.unreachable())
})

test('leaves frames to the next one', async () => {
  await new Promise(resolve => requestAnimationFrame(resolve))
})
