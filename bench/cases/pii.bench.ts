import { findPii } from '../../src/privacy/pii/detection/find-pii';
import { BenchEnvironment, messageIds, setStage, timedJob } from '../bench-environment';
import type { Figure } from '../report';

const MESSAGES = 2_000;
const AVERAGE_BYTES = 40 * 1024;
const MIB = 1024 * 1024;

/** A megabyte of what leads scanners astray. */
const HOSTILE: Readonly<Record<string, string>> = {
  digits: '4',
  'groups of digits': '4111 ',
  'card numbers': '4111 1111 1111 1111 ; ',
  'telephone prefixes': '+33 0',
  'at signs': '@',
  addresses: 'a@',
  spaces: ' ',
  dashes: '-',
  IBANs: 'FR76',
  passwords: 'password is ',
};

/** Scans for personal data: the job over an archive, and the worst case of one megabyte. */
export async function benchPii(environment: BenchEnvironment): Promise<Figure[]> {
  return [await scanOfArchive(environment), ...hostileTexts()];
}

async function scanOfArchive(environment: BenchEnvironment): Promise<Figure> {
  const stage = await setStage(environment, { messages: MESSAGES + 100, averageBytes: AVERAGE_BYTES });
  try {
    const ids = await messageIds(stage, MESSAGES);
    await timedJob(stage, `/api/archive/${stage.accountId}/archive`, { messageIds: ids });
    stage.service.resetPeak();
    const path = `/api/privacy/${stage.accountId}/pii/scan`;
    // The first run warms the threads.
    await timedJob(stage, path, {});
    const { job, seconds } = await timedJob(stage, path, {});
    const rate = job.processed / seconds;
    const megabytes = (rate * AVERAGE_BYTES) / MIB;
    const { peak } = stage.service.memory();
    return {
      work: `scan ${MESSAGES} mails of 40 KB for personal data`,
      measured: `${rate.toFixed(0)} mails/s, ${megabytes.toFixed(0)} MB/s, ${job.result.findings} values, peak RSS ${peak.toFixed(0)} MiB`,
      budget: '≥ 1,000 mails/s',
      met: rate >= 1_000,
    };
  } finally {
    await stage.stop();
  }
}

function hostileTexts(): Figure[] {
  let worst = { name: '', ms: 0 };
  for (const [name, piece] of Object.entries(HOSTILE)) {
    const text = piece.repeat(Math.ceil(MIB / piece.length));
    findPii(text.slice(0, MIB / 8));
    const startedAt = performance.now();
    findPii(text);
    const ms = performance.now() - startedAt;
    if (ms > worst.ms) worst = { name, ms };
  }
  return [
    {
      work: `find personal data in 1 MB of hostile text (${Object.keys(HOSTILE).length} kinds)`,
      measured: `worst ${worst.ms.toFixed(0)} ms (${worst.name})`,
      budget: '< 500 ms',
      met: worst.ms < 500,
    },
  ];
}
