import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createServer } from 'node:http';

const ANSWER = { status: 'ok', version: '0.0.0' };

@Controller('health')
class BareController {
  @Get('live')
  live(): typeof ANSWER {
    return ANSWER;
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

/** What the framework itself can do: one route and nothing else. */
async function nest(port: number): Promise<void> {
  const app = await NestFactory.create(BareModule, { logger: false });
  await app.listen(port, '127.0.0.1');
}

/** What Node itself can do. */
function node(port: number): void {
  const body = JSON.stringify(ANSWER);
  createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(body);
  }).listen(port, '127.0.0.1');
}

const [kind, port] = process.argv.slice(2);
if (kind === 'nest') void nest(Number(port));
else node(Number(port));
process.once('disconnect', () => process.exit(0));
