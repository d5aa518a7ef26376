/**
 * The HTTP application of the daemon. Only programs of this user on this machine may use it: the listener is on loopback,
 * a request must name it as its host (a page that made its own name point here does not), a page of another origin is
 * refused, and every route but the files of the dashboard asks for the token of the 0600 file. There are no CORS headers,
 * and a page may load nothing from elsewhere. Each part of the application is mounted at a path of its own.
 */

import { timingSafeEqual } from 'node:crypto';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import { toReason, UserError } from '../../base/errors.ts';
import type { HttpAddress } from './http-file.ts';

/** Larger than any input that the tools accept. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES;

interface AppParts extends HttpAddress {
  /** Path to the part that answers there, to whoever has the token. */
  readonly mounts: Readonly<Record<string, Hono>>;
  /** Answers everything else, without a token. */
  readonly open?: Hono;
  readonly log: (line: string) => void;
}

export function makeHttpApp({ port, token, mounts, open, log }: AppParts): Hono {
  const app = new Hono();
  app.use(secureHeaders(HEADERS));
  app.use(requireLoopback(port));
  for (const [path, mount] of Object.entries(mounts)) {
    for (const below of [path, `${path}/*`]) {
      app.use(below, requireToken(token));
      app.use(below, bodyLimit({ maxSize: MAX_BODY_BYTES, onError: ({ req }) => refuseBody(req.raw) }));
    }
    app.route(path, mount);
  }
  if (open !== undefined) app.route('/', open);
  app.notFound(({ req }) =>
    refuse(404, { subject: req.path, reason: 'is not an address of the daemon', next: 'use /api or /mcp' }),
  );
  app.onError((error) => {
    log(`http: ${toReason(error)}`);
    return error instanceof UserError ? refuse(400, error) : refuse(500, INTERNAL);
  });
  return app;
}

/** Scripts, styles and data come from here alone, and no other page may frame this one. */
const HEADERS: Parameters<typeof secureHeaders>[0] = {
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  strictTransportSecurity: false,
};

/** A connection that is closed on unread bytes would lose the answer, so most of the body is read and discarded. */
async function refuseBody({ body }: Request): Promise<Response> {
  let left = MAX_DISCARDED_BYTES;
  if (body !== null && !body.locked)
    for await (const chunk of body) {
      left -= chunk.length;
      if (left < 0) break;
    }
  return refuse(413, TOO_LARGE);
}

function requireLoopback(port: number): MiddlewareHandler {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return async ({ req }, next) => {
    if (!hosts.includes(req.header('host') ?? '')) return refuse(403, FOREIGN_HOST);
    const origin = req.header('origin');
    if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) return refuse(403, FOREIGN_ORIGIN);
    await next();
    return undefined;
  };
}

function requireToken(token: string): MiddlewareHandler {
  const wanted = Buffer.from(`Bearer ${token}`);
  return async ({ req }, next) => {
    // The name of the scheme may be written in any case.
    const given = Buffer.from((req.header('authorization') ?? '').replace(/^bearer /i, 'Bearer '));
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      return refuse(401, NO_TOKEN, { 'WWW-Authenticate': 'Bearer' });
    await next();
    return undefined;
  };
}

interface HttpError {
  readonly subject: string;
  readonly reason: string;
  readonly next: string;
}

/** The one form of an error, as `--json` prints it. */
export function refuse(
  status: number,
  { subject, reason, next }: HttpError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { subject, reason, next } }, { status, headers });
}

const TOO_LARGE: HttpError = {
  subject: 'the request',
  reason: `is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB`,
  next: 'send less text',
};
const FOREIGN_HOST: HttpError = {
  subject: 'the host of the request',
  reason: 'is not this daemon',
  next: 'use the address in the file that `oncebitten daemon status` names',
};
const FOREIGN_ORIGIN: HttpError = {
  subject: 'the origin of the request',
  reason: 'is another site, which may not use this daemon',
  next: 'send the request from a program on this machine, without an Origin header',
};
const NO_TOKEN: HttpError = {
  subject: 'the token',
  reason: 'is missing or wrong',
  next: 'open the dashboard with `oncebitten open`; a program sends "Authorization: Bearer <token>" with the token in the file that `oncebitten daemon status` names',
};
const INTERNAL: HttpError = {
  subject: 'oncebitten',
  reason: 'internal error',
  next: 'see the log of the daemon, and the output of `oncebitten doctor`',
};
