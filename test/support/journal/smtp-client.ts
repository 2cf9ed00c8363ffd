import * as net from 'node:net';
import * as tls from 'node:tls';

/** An answer of an SMTP server: the code, and its lines without it. */
export interface SmtpAnswer {
  readonly code: number;
  readonly text: string;
}

/** A client that sends exactly what a test gives it, and returns each answer as it is. */
export class SmtpClient {
  private buffer = '';
  private readonly answers: SmtpAnswer[] = [];
  private readonly waiting: { resolve: (answer: SmtpAnswer) => void; reject: (error: Error) => void }[] = [];
  private ended: Error | null = null;

  private constructor(private socket: net.Socket) {
    this.listen();
  }

  /** Connects and reads the greeting. */
  static async connect(port: number): Promise<{ client: SmtpClient; greeting: SmtpAnswer }> {
    const client = new SmtpClient(net.connect({ host: '127.0.0.1', port }));
    return { client, greeting: await client.next() };
  }

  /** Connects and says hello. */
  static async open(port: number): Promise<SmtpClient> {
    const { client } = await SmtpClient.connect(port);
    await client.command('EHLO client.test');
    return client;
  }

  async command(line: string): Promise<SmtpAnswer> {
    this.socket.write(`${line}\r\n`);
    return this.next();
  }

  /** Sends the envelope and returns the last answer before DATA. */
  async envelope(sender: string, recipients: readonly string[], parameters = ''): Promise<SmtpAnswer> {
    let answer = await this.command(`MAIL FROM:<${sender}>${parameters}`);
    for (const recipient of recipients) {
      if (answer.code !== 250) return answer;
      answer = await this.command(`RCPT TO:<${recipient}>`);
    }
    return answer;
  }

  /** Sends a message, its dots doubled, and returns the answer after its end. */
  async message(raw: Buffer): Promise<SmtpAnswer> {
    const ready = await this.command('DATA');
    if (ready.code !== 354) return ready;
    this.socket.write(stuffed(raw));
    this.socket.write(raw.subarray(-2).toString('latin1') === '\r\n' ? '.\r\n' : '\r\n.\r\n');
    return this.next();
  }

  async send(
    sender: string,
    recipients: readonly string[],
    raw: Buffer,
    parameters = '',
  ): Promise<SmtpAnswer> {
    const accepted = await this.envelope(sender, recipients, parameters);
    return accepted.code === 250 ? this.message(raw) : accepted;
  }

  /** Sends bytes as they are, without waiting. */
  write(bytes: Buffer | string): void {
    this.socket.write(bytes);
  }

  async startTls(): Promise<SmtpAnswer> {
    const answer = await this.command('STARTTLS');
    if (answer.code !== 220) return answer;
    this.socket.removeAllListeners('data');
    const secured = tls.connect({ socket: this.socket, rejectUnauthorized: false });
    await new Promise<void>((resolve, reject) => {
      secured.once('secureConnect', resolve);
      secured.once('error', reject);
    });
    this.socket = secured;
    this.listen();
    await this.command('EHLO client.test');
    return answer;
  }

  /** The next answer; it fails when the connection ends before. */
  next(): Promise<SmtpAnswer> {
    const answer = this.answers.shift();
    if (answer) return Promise.resolve(answer);
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  destroy(): void {
    this.socket.destroy();
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => this.read(chunk.toString('utf8')));
    this.socket.on('error', (error) => this.end(error));
    this.socket.on('close', () => this.end(new Error('The server closed the connection')));
  }

  private read(text: string): void {
    this.buffer += text;
    for (;;) {
      const [answer] = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.buffer) ?? [];
      if (answer === undefined) return;
      this.buffer = this.buffer.slice(answer.length);
      const lines = answer.trimEnd().split('\r\n');
      this.deliver({
        code: Number(answer.slice(0, 3)),
        text: lines.map((line) => line.slice(4)).join('\n'),
      });
    }
  }

  private deliver(answer: SmtpAnswer): void {
    const waiting = this.waiting.shift();
    if (waiting) waiting.resolve(answer);
    else this.answers.push(answer);
  }

  private end(error: Error): void {
    this.ended ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.ended);
  }
}

/** RFC 5321, 4.5.2: a dot at the beginning of a line is sent twice. */
function stuffed(raw: Buffer): Buffer {
  const text = raw.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
  return Buffer.from(text, 'latin1');
}
