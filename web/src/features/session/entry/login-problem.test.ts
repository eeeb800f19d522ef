import { expect, test } from 'vitest'
import { CallError } from '../../../lib/calls/api.ts'
import { loginProblem } from './login-problem.ts'

test('after too many attempts the page says how long to wait', () => {
  const wait = (seconds: number) => loginProblem(new CallError(429, {}, seconds)).split('\n')[1]
  expect(wait(1)).toBe('Too many attempts, try again in 1 second.')
  expect(wait(60)).toBe('Too many attempts, try again in 60 seconds.')
  expect(wait(100)).toBe('Too many attempts, try again in 2 minutes.')
})
