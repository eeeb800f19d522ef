import { afterEach, expect, test } from 'vitest'
import { ownPath, rememberWayBack, takeWayBack } from './way-back.ts'

afterEach(() => sessionStorage.clear())

test.each([
  '/view-ticket/107',
  '/view-project/3?phase=1%2C2&title=a%20b',
  '/view-ticket/107?tab=history#comment-5',
  '/browse/OPS-42',
  '/profile',
  '/loginx',
])('leads back to %s, once', path => {
  rememberWayBack(path)
  expect([takeWayBack(), takeWayBack()]).toEqual([path, undefined])
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  'https://evil.example/view-ticket/1',
  'javascript:alert(1)',
  'view-ticket/1',
  '',
  '/',
  '/home',
  '/login',
  '/login?x=1',
  '/x/../login',
  '/logout',
  '/reset-password',
  '/reset-password-verify/code',
  '/set-up/token',
  '/api/1/private/logout.json.php',
])('leads nobody to %j', path => {
  expect(ownPath(path)).toBeUndefined()
  rememberWayBack('/view-ticket/1')
  rememberWayBack(path)
  expect(takeWayBack()).toBeUndefined()
  // Whatever wrote it there.
  sessionStorage.setItem('tessera.way-back', path)
  expect(takeWayBack()).toBeUndefined()
})
