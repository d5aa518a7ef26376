/**
 * Our MCP server over HTTP: every request is complete in itself, so there are no sessions, and a daemon that was replaced
 * goes on where the other ended. The server sends nothing by itself, so it offers no stream.
 */

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import { refuse } from '../http/make-app.ts';
import { makeMcpServer } from './make-server.ts';
import type { McpContext } from './tool.ts';

export function makeMcpRoute(context: McpContext): Hono {
  const route = new Hono();
  route.post('/', async ({ req }) => {
    const server = makeMcpServer(context);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(req.raw);
    } finally {
      await server.close();
    }
  });
  route.all('/', () => refuse(405, ONLY_POST, { Allow: 'POST' }));
  return route;
}

const ONLY_POST = {
  subject: 'the request',
  reason: 'has a method that this server does not offer: it has no sessions and no stream',
  next: 'send JSON-RPC messages with POST',
};
