import { expect, test } from 'vitest'
import { deviceName } from './device-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/156.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['curl/8.9.1', 'curl/8.9.1'],
  ['', 'Unknown device'],
])('%s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
