import { expect, test } from 'vitest'

test('a test that ends with a frame pending', () => {
  requestAnimationFrame(() => expect.unreachable())
})

test('the next test does not run the frame of the one before', async () => {
  await new Promise(resolve => requestAnimationFrame(resolve))
})
