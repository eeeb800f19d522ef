import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { defaultDatabaseMemory, machineMemory, parseDatabaseMemory, workMemory } from './memory.ts'

const mebibyte = 2 ** 20
const gibibyte = 1024 * mebibyte

test('the bundled PostgreSQL gets an eighth of the machine, from 128 MB to 1 GB', () => {
  expect(defaultDatabaseMemory(512 * mebibyte)).toBe(128 * mebibyte)
  expect(defaultDatabaseMemory(4 * gibibyte)).toBe(512 * mebibyte)
  expect(defaultDatabaseMemory(64 * gibibyte)).toBe(gibibyte)
})

test('work_mem is a part of the database memory, from 4 MB to 32 MB', () => {
  for (const [shared, each] of [
    [16, 4],
    [128, 4],
    [512, 16],
    [1024, 32],
    [8192, 32],
  ] as const)
    expect([shared, workMemory(shared * mebibyte)]).toEqual([shared, each * mebibyte])
})

test('TESSERA_DATABASE_MEMORY takes megabytes and gigabytes, and names itself when it cannot be used', () => {
  expect(readConfig({ TESSERA_DATABASE_MEMORY: '64MB' }).databaseMemory).toBe(64 * mebibyte)
  expect(parseDatabaseMemory('2 gb', 8 * gibibyte)).toBe(2 * gibibyte)
  for (const value of ['512', '1TB', '-1GB', '8MB', '0MB', 'much', '5GB'])
    expect(() => parseDatabaseMemory(value, 8 * gibibyte)).toThrow(
      `TESSERA_DATABASE_MEMORY is '${value}': give an amount from 16MB to 4096MB, half of this machine's memory.`,
    )
  expect(() => readConfig({ TESSERA_DATABASE_MEMORY: '999999GB' })).toThrow('TESSERA_DATABASE_MEMORY')
})

test('the machine’s memory is read in bytes', () => {
  expect(machineMemory()).toBeGreaterThan(256 * mebibyte)
})
