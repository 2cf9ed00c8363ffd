import { randomBytes } from 'node:crypto';
import { decryptMail, encryptMail } from '../../src/archive/passphrases/encrypted-file';
import { deriveMailKey } from '../../src/archive/passphrases/mail-keys';
import { BenchEnvironment, messageIds, setStage, Stage, timedJob } from '../bench-environment';
import { Figure, latency } from '../report';

const KIB = 1024;
const MIB = 1024 * KIB;
const PASSPHRASE = 'correct horse battery staple';
const SIZES = [
  { name: '100 KB', bytes: 100 * KIB },
  { name: '20 MiB', bytes: 20 * MIB },
];
const MEASURED_MS = 2_000;
const MAILS = 200;
const READS = 100;

/** What encryption costs: keys, the cipher alone, the job, and reading an encrypted mail over HTTP. */
export async function benchEncryption(environment: BenchEnvironment): Promise<Figure[]> {
  const figures = [await measureKeys(), ...SIZES.flatMap(({ name, bytes }) => measureCipher(name, bytes))];
  const stage = await setStage(environment, {
    messages: MAILS + 50,
    averageBytes: 100 * KIB,
    latencyMs: 0,
  });
  try {
    figures.push(...(await measureService(stage)));
  } finally {
    await stage.stop();
  }
  return figures;
}

async function measureKeys(): Promise<Figure> {
  const samples: number[] = [];
  for (let number = 0; number < 20; number += 1) {
    const startedAt = performance.now();
    await deriveMailKey(PASSPHRASE, randomBytes(32));
    samples.push(performance.now() - startedAt);
  }
  return { work: 'key derivation', measured: latency(samples), budget: '–' };
}

function measureCipher(name: string, bytes: number): Figure[] {
  const [key, salt, mail] = [randomBytes(32), randomBytes(32), randomBytes(bytes)];
  const file = encryptMail(mail, key, salt);
  const works = [
    { work: `encryption of ${name}, in memory`, run: () => encryptMail(mail, key, salt) },
    { work: `decryption of ${name}, in memory`, run: () => decryptMail(file, key) },
  ];
  return works.map(({ work, run }) => {
    let count = 0;
    const startedAt = performance.now();
    while (performance.now() - startedAt < MEASURED_MS) {
      run();
      count += 1;
    }
    const rate = count / ((performance.now() - startedAt) / 1000);
    const measured = `${rate.toFixed(0)} mails/s, ${((rate * bytes) / MIB).toFixed(0)} MiB/s`;
    return { work, measured, budget: '–' };
  });
}

async function measureService(stage: Stage): Promise<Figure[]> {
  const archive = `/api/archive/${stage.accountId}`;
  const privacy = `/api/privacy/${stage.accountId}/encryption`;
  const { api } = stage.user;
  await timedJob(stage, `${archive}/archive`, { messageIds: await messageIds(stage, MAILS) });
  const plain = await measureReads(stage, 'plain', {});
  const setUp = await api.post('/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
  if (setUp.status !== 200) throw new Error(`setup answered ${setUp.status}`);
  const { job, seconds } = await timedJob(stage, `${privacy}/encrypt`, { passphrase: PASSPHRASE });
  const encrypted = await measureReads(stage, 'encrypted', { 'x-archive-passphrase': PASSPHRASE });
  return [
    {
      work: `encrypt job of ${job.processed} mails of 100 KB`,
      measured: `${(job.processed / seconds).toFixed(0)} mails/s`,
      budget: '–',
    },
    plain,
    encrypted,
  ];
}

async function measureReads(stage: Stage, what: string, headers: Record<string, string>): Promise<Figure> {
  const archive = `/api/archive/${stage.accountId}`;
  const { body } = await stage.user.api.get(`${archive}/mails?limit=100`);
  const ids = (body.mails as { id: string }[]).map(({ id }) => id);
  const samples: number[] = [];
  for (let number = 0; number < READS; number += 1) {
    const startedAt = performance.now();
    const { status } = await stage.user.api.get(`${archive}/mails/${ids[number % ids.length]}/eml`, {
      headers,
    });
    if (status !== 200) throw new Error(`eml answered ${status}`);
    samples.push(performance.now() - startedAt);
  }
  return { work: `download of a mail of 100 KB, ${what}`, measured: latency(samples), budget: '–' };
}
