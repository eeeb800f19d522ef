import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import swagger from '@fastify/swagger'
import { limits } from '@tessera/contract/limits'
import fastify, { LogController } from 'fastify'
import { serveAltcha } from './captcha/altcha.ts'
import { captchaHosts } from './captcha/captcha.ts'
import type { Config } from './config.ts'
import { isFeedAddress, sendNoFeed, serveCalendarFeeds } from './features/calendar-feeds/serving/serve-calendar-feeds.ts'
import { handlers } from './handlers/handlers.ts'
import { handleErrors } from './http/failures.ts'
import type { Handler } from './http/implement.ts'
import { acceptJson } from './http/json/json-body.ts'
import { isFileCall, refuseAddress, register } from './http/rpc.ts'
import { compileSchemasLazily } from './http/schemas/lazy-schemas.ts'
import { Failure } from './lib/failure.ts'
import { serveUnsubscribe } from './mail/unsubscribe.ts'
import { consoleLog } from './process/health/console-log.ts'
import { serveHealth } from './process/health/health.ts'
import { countRequests, serveMetrics } from './process/health/metrics.ts'
import { logRequests, plainError } from './process/health/request-log.ts'
import type { System } from './process/system.ts'
import { serveWebApplication } from './process/web-application.ts'
import { receiveUploads } from './upload/upload.ts'
import { endSlowRequest } from './upload/upload-rate.ts'

/** Builds the HTTP server on a migrated database. Does not listen. */
export async function buildApp(system: System, { withFiles = true } = {}) {
  const { config } = system
  const refuse = refuseAddress(config)
  const app = fastify({
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            stream: consoleLog,
            redact: ['req.headers.cookie', 'req.headers["x-xsrf-token"]'],
            serializers: { err: plainError },
          },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    bodyLimit: limits.body,
    requestTimeout: 15_000,
    connectionTimeout: config.silenceSeconds * 1000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, maxHeaderSize: 16_384 },
    exposeHeadRoutes: false,
    genReqId: () => crypto.randomUUID(),
    frameworkErrors: (error, request, reply) => void (isFeedAddress(request.url) ? sendNoFeed(reply) : refuse(error, request, reply)),
    clientErrorHandler: endSlowRequest,
  })
  // Node.js knows the client's address only while there is a connection, and remembers it once it was asked for: calls need it later.
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.socket.remoteAddress === undefined ? new Failure('invalid', 'The client has hung up') : undefined),
  )
  app.addHook('onResponse', (_request, _reply, done) => {
    system.requests.answered++
    done()
  })
  app.removeContentTypeParser('text/plain')
  acceptJson(app)
  compileSchemasLazily(app)

  await app.register(compress, { threshold: 2048, encodings: ['gzip'], globalDecompression: false })
  await app.register(cookie, { hook: false })
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Tessera', version: '1' } } })
  handleErrors(app, system)
  logRequests(app)
  const counts = countRequests(app)

  const calls = Object.values(handlers) as unknown as Handler[]
  register(
    app,
    system,
    calls.filter(handler => !isFileCall(handler)),
  )
  // Helmet builds its headers for each request; JSON answers need only a few constant ones.
  await app.register(async pages => {
    await pages.register(helmet, pageHeaders(config))
    register(pages, system, calls.filter(isFileCall))
    await pages.register(async upload => receiveUploads(upload, system, handlers.attachmentUpload as unknown as Handler))
    pages.get('/api/1/openapi.json', { schema: { hide: true } }, () => app.swagger())
    serveHealth(pages, system)
    serveMetrics(pages, system, counts)
    if (config.captcha.provider === 'builtin') serveAltcha(pages, system)
    serveCalendarFeeds(pages, system)
    await serveUnsubscribe(pages, system)
    await serveWebApplication(pages, system, withFiles)
  })
  app.addHook('preClose', () => {
    // A connection whose last answer comes later than this would stay open for the next request, and the close would wait for it.
    app.server.keepAliveTimeout = 1
    // So would open streams.
    return system.live.close()
  })
  return app
}

/** The headers of what is not a call. A page may load scripts only from here and from the captcha's provider. */
function pageHeaders(config: Config): FastifyHelmetOptions {
  const captcha = captchaHosts(config)
  return {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...captcha.script],
        styleSrc: ["'self'", ...captcha.style],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...captcha.connect],
        frameSrc: captcha.frame.length > 0 ? captcha.frame : ["'none'"],
        workerSrc: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    hsts: config.secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  }
}
