import { parsePasswd } from './service-account';

describe('parsePasswd', () => {
  it('should read names and ids and leave out malformed lines', () => {
    const text = 'root:x:0:0:root:/root:/bin/bash\nbroken\npostgres:x:101:104::/var/lib:/bin/sh\n+::::::\n';
    expect(parsePasswd(text)).toEqual([
      { name: 'root', uid: 0, gid: 0 },
      { name: 'postgres', uid: 101, gid: 104 },
    ]);
  });
});
