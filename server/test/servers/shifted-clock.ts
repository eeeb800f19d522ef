// For `node --import`: from here on the process believes it is CLOCK_SHIFT_HOURS later, or earlier, than it is.

const shift = Number(process.env.CLOCK_SHIFT_HOURS) * 3_600_000
const { now } = Date

globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now() + shift] : given, made),
  apply: () => new Date().toString(),
  get: (target, name, receiver) => (name === 'now' ? () => now() + shift : Reflect.get(target, name, receiver)),
})
