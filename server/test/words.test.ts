import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test("'Organisation' is written so only in 'Organisation Admin', the specification's own words; everything else is 'organization'", () => {
  const files = globSync('{contract,server,web}/src/**/*.{ts,tsx}', { cwd: root }).filter(file => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  const mixed = files.filter(file => /organisation(?! admin)/i.test(readFileSync(path.join(root, file), 'utf8')))
  expect(mixed).toEqual([])
})
