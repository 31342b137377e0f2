import Papa from 'papaparse';
import { describe, expect, it, vi } from 'vitest';
import { BulkEstimate, BulkJobList, BulkJobResponse, BulkQuotaError } from '../../src/contract/bulk.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { startService } from '../support/service.ts';

const service = await startService();

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;

const client = (organisation: Organisation, key?: string) => bulkCalls(service, organisation, key);

const FILE = [
  'Name,E-Mail',
  '"Ada, Countess", ada@business.test ',
  'Bob,bob.king@gmail.com',
  'Nobody,',
  'Gone,who@nxdomain.test',
  'Ada again,ADA@business.test',
  '',
].join('\r\n');

describe('a file', () => {
  it('goes in, is verified once an address, and comes back with a result on every row', async () => {
    const organisation = await service.createOrganisation({ verification_quota: 100 });
    const jobs = client(organisation);
    const id = await jobs.create({ name: 'March "list"' });
    expect(await jobs.job(id)).toMatchObject({
      state: 'uploading',
      rows: null,
      email_column: null,
      purpose: 'list_hygiene',
    });

    const uploaded = await jobs.upload(id, FILE);
    expect(BulkJobResponse.parse(uploaded.body).job).toMatchObject({
      state: 'ready',
      has_header: true,
      email_column: 1,
      columns: ['Name', 'E-Mail'],
      rows: 5,
      unique: 3,
      invalid: 1,
      error: null,
    });

    const { body: estimate } = await jobs.call('GET', `/${id}/estimate`);
    expect(BulkEstimate.parse(estimate)).toMatchObject({
      rows_unique: 3,
      verifications: 3,
      skipped: 1,
      cached: 0,
      to_verify: 3,
      quota_remaining: 100,
      fits: true,
      max_cost_usd: 0,
    });
    const early = await jobs.download(id);
    expect([early.status, (await early.json<{ error: { message: string } }>()).error.message]).toEqual([
      409,
      'There are no results. The job is `ready`: it has its file and can be started; another file takes a new job.',
    ]);

    const started = await jobs.start(id);
    expect(started).toMatchObject({ status: 202, body: { job: { state: 'running', progress: { chunks_total: 1 } } } });
    await jobs.run();
    expect(await jobs.job(id)).toMatchObject({
      state: 'done',
      progress: { chunks_done: 1, chunks_total: 1, rows_done: 5 },
      error: null,
      counts: { invalid: 1 },
    });

    const download = await jobs.download(id);
    expect(download.headers.get('content-type')).toBe('text/csv');
    expect(download.headers.get('content-disposition')).toBe(
      `attachment; filename="March _list_.csv"; filename*=UTF-8''March%20%22list%22.csv`,
    );
    const text = await download.text();
    const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
    expect(data.map((row) => [row.Name, row.svc_status, row.svc_reason])).toEqual([
      ['Ada, Countess', 'ok', ''],
      ['Bob', 'ok', ''],
      ['Nobody', 'skipped', ''],
      ['Gone', 'ok', 'no_mx'],
      ['Ada again', 'ok', ''],
    ]);
    expect(
      text
        .split('\r\n')
        .map((line) => line.split(',svc_')[0])
        .join('\r\n')
        .startsWith('Name,E-Mail\r\n'),
    ).toBe(true);
    expect(data[0]?.svc_trace_id).toBe(data[4]?.svc_trace_id);

    const { body: usage } = await service.call('GET', '/v1/usage', organisation.keys.viewer);
    expect(usage).toMatchObject({ calls: { bulk: 3, verify: 0 }, bulk: { jobs_this_month: 1, rows_this_month: 3 } });
    expect(usage.quota.remaining).toBe(97);

    const { body: traces } = await service.call('GET', `/v1/traces?bulk_job_id=${id}`, organisation.keys.viewer);
    const named = data.map((row) => row.svc_trace_id).filter((trace) => trace !== '');
    expect(new Set(traces.traces.map((trace: { trace_id: string }) => trace.trace_id))).toEqual(new Set(named));
    expect(traces.traces.length).toBe(3);
    expect(traces.traces).toEqual(traces.traces.map(() => expect.objectContaining({ kind: 'bulk', bulk_job_id: id })));
    expect(JSON.stringify(service.files.keys())).not.toContain('@');
  });

  it('is checked again from what is stored, read as before, and costs what it says beforehand', async () => {
    const jobs = client(await service.createOrganisation({ verification_quota: 100 }));
    const id = await jobs.create({ name: 'Twice', purpose: 'outbound' });
    await jobs.upload(id, FILE);
    await jobs.start(id);
    await jobs.run();
    const { body: estimate } = await jobs.call('GET', `/${id}/estimate?again=true`);
    expect(estimate).toMatchObject({ rows_unique: 3, verifications: 3 });
    const { status, body } = await jobs.call('POST', `/${id}/again`);
    expect(status).toBe(201);
    const { job } = BulkJobResponse.parse(body);
    expect(job).toMatchObject({
      state: 'ready',
      name: 'Twice',
      purpose: 'outbound',
      rows: 5,
      unique: 3,
      email_column: 1,
    });
    await jobs.start(job.id);
    await jobs.run();
    const texts = await Promise.all([id, job.id].map(async (each) => (await jobs.download(each)).text()));
    const rowsOf = (text?: string) => text?.split('\r\n').map((line) => line.split(',').slice(0, 4));
    expect(rowsOf(texts[1])).toEqual(rowsOf(texts[0]));
  });

  it('comes back with its first line and in its encoding when Excel wrote it', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.create();
    const lines = [
      'sep=;',
      'Name;E-Mail;mailto:x%40y.example',
      'M\u00fcller;who@nxdomain.test;',
      'Ada;ada@business.test;',
      '',
    ];
    const { body } = await jobs.upload(id, Buffer.from(lines.join('\r\n'), 'latin1'));
    expect(body.job).toMatchObject({ columns: ['Name', 'E-Mail', ''], rows: 2, invalid: 0, email_column: 1 });
    await jobs.start(id);
    await jobs.run();
    for (const [segment, kept] of [
      ['all', lines],
      ['undeliverable', [...lines.slice(0, 3), '']],
    ] as const) {
      const download = await jobs.download(id, segment);
      expect(download.headers.get('content-type')).toBe('text/csv; charset=windows-1252');
      const text = Buffer.from(await download.arrayBuffer()).toString('latin1');
      const own = text.split('\r\n').map((line: string) => line.split(';').slice(0, 3).join(';'));
      expect(own).toEqual(kept);
    }
  });

  it('is downloaded by segment, and its segment blocked once', async () => {
    const organisation = await service.createOrganisation();
    const jobs = client(organisation);
    const id = await jobs.ready(FILE);
    expect((await jobs.call('POST', `/${id}/block`, { segment: 'undeliverable' })).status).toBe(409);
    await jobs.start(id);
    await jobs.run();
    const lines = async (segment: string) => (await (await jobs.download(id, segment)).text()).trim().split('\r\n');
    expect((await lines('undeliverable')).map((line) => line.split(',')[0])).toEqual(['Name', 'Gone']);
    expect((await lines('business')).length).toBe(3);
    for (const segment of ['deny', 'bogus', 'constructor', '']) {
      expect([segment, (await jobs.download(id, segment)).status]).toEqual([segment, 400]);
    }
    const block = () => jobs.call('POST', `/${id}/block`, { segment: 'undeliverable', note: 'gone' });
    expect(await block()).toMatchObject({
      status: 200,
      body: { rule: 'block', added: 1, moved: 0, unchanged: 0, total: 1 },
    });
    expect((await block()).body).toEqual({
      rule: 'block',
      added: 0,
      moved: 0,
      unchanged: 1,
      total: 1,
      domain_blocked: 0,
    });
    for (const segment of ['bogus', 'all', 7]) {
      expect((await jobs.call('POST', `/${id}/block`, { segment })).body.error).toMatchObject({
        code: 'invalid_request',
        message: '`segment` must be `undeliverable` or `review`; for a job with a policy, `deny` or `review`.',
      });
    }
    expect((await jobs.call('POST', `/${id}/block`, { segment: 'deny' })).body.error).toMatchObject({
      code: 'invalid_request',
      message: 'The job has no policy, so `segment` must be one of `undeliverable`, `review`.',
    });
  });

  it('is read again as PATCH says', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.ready('a@business.test,b@business.test\nc@business.test,b@business.test\n');
    expect(await jobs.job(id)).toMatchObject({ has_header: false, email_column: 0, unique: 2 });
    const patch = (change: object) => jobs.call('PATCH', `/${id}`, change);
    expect((await patch({ email_column: 1, name: 'B' })).body.job).toMatchObject({
      email_column: 1,
      unique: 1,
      name: 'B',
    });
    expect((await patch({ has_header: true })).body.job).toMatchObject({ has_header: true, rows: 1, email_column: 1 });
    expect(await patch({ email_column: 7 })).toMatchObject({
      status: 400,
      body: { error: { code: 'no_email_column' } },
    });
    expect(await patch({ policy_slug: 'none' })).toMatchObject({ status: 404 });
    expect((await jobs.job(id)).email_column).toBe(1);
    expect(jobs.files(id).length).toBe(3);
    await jobs.start(id);
    expect((await patch({ name: 'C' })).status).toBe(409);
  });

  it('is read again by several at once, and only the reading in force is kept', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.ready('a@business.test,b@business.test\nc@business.test,b@business.test\n');
    const changes = [0, 1, 0, 1].map((email_column) => jobs.call('PATCH', `/${id}`, { email_column }));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(jobs.files(id).length).toBe(3);
    await jobs.start(id);
    await jobs.run();
    expect((await jobs.job(id)).state).toBe('done');
  });

  it('is not read again in a way that fails: the job stays as it is, and says why', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.ready(`email\n${'a@business.test\n'.repeat(100_000)}`);
    const { status, body } = await jobs.call('PATCH', `/${id}`, { has_header: false });
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'The file has more than 100,000 rows: split it.',
    });
    expect(await jobs.job(id)).toMatchObject({ state: 'ready', has_header: true, rows: 100_000 });
    expect(jobs.files(id).length).toBe(3);
  });

  it('runs under a test key without being metered', async () => {
    const organisation = await service.createOrganisation({ verification_quota: 1 });
    const jobs = client(organisation, organisation.keys.test);
    const id = await jobs.ready(
      'email\ndeliverable@example.com\nundeliverable@example.com\ndegraded@example.com\nrate-limited@example.com\n',
    );
    await jobs.start(id);
    await jobs.run();
    expect(await jobs.job(id)).toMatchObject({ state: 'done', progress: { rows_done: 4 } });
    expect((await (await jobs.download(id)).text()).match(/,error,/g)?.length).toBe(1);
    const { body: usage } = await service.call('GET', '/v1/usage', organisation.keys.viewer);
    expect(usage.calls.bulk).toBe(0);
    expect((await client(organisation).call('GET', `/${id}`)).status).toBe(404);
  });
});

describe('the quota', () => {
  it('is used to the last unit, and the rest continues when it is raised', async () => {
    const organisation = await service.createOrganisation({ verification_quota: 150 });
    const jobs = client(organisation);
    const rows = Array.from({ length: 250 }, (_, i) => `a${i}@business.test`);
    const id = await jobs.ready(`email\n${rows.join('\n')}\n`);
    const refused = await jobs.start(id);
    expect(refused.status).toBe(402);
    expect(BulkQuotaError.parse(refused.body)).toMatchObject({
      error: { code: 'quota_exceeded' },
      estimate: { fits: false, quota_remaining: 150, verifications: 250 },
    });
    expect((await jobs.job(id)).state).toBe('ready');
    await jobs.start(id, { allow_partial: true });
    await jobs.run();
    expect(await jobs.job(id)).toMatchObject({
      state: 'paused_quota',
      progress: { chunks_total: 3, chunks_done: 1, rows_done: 150 },
    });
    expect((await jobs.call('POST', `/${id}/resume`)).status).toBe(402);
    await service.call('PATCH', `/operator/v1/organisations/${organisation.id}`, service.operatorKey, {
      verification_quota: 1_000,
    });
    await jobs.run();
    expect(await jobs.job(id)).toMatchObject({ state: 'done', progress: { chunks_done: 3, rows_done: 250 } });
    const { body: usage } = await service.call('GET', '/v1/usage', organisation.keys.viewer);
    expect(usage.calls.bulk).toBe(250);
    const text = await (await jobs.download(id)).text();
    expect(text.match(/,ok,/g)?.length).toBe(250);
  });

  it('lets two jobs run and the third wait for its turn; a cancelled one gives its place up', async () => {
    const jobs = client(await service.createOrganisation());
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push(await jobs.ready('email\na@business.test\n'));
    const states = [];
    for (const id of ids) states.push((await jobs.start(id)).body.job.state);
    expect(states).toEqual(['running', 'running', 'queued']);
    expect((await jobs.call('POST', `/${ids[0]}/cancel`)).body.job).toMatchObject({ state: 'cancelled' });
    expect((await jobs.job(ids[2] ?? '')).state).toBe('running');
    expect((await jobs.call('POST', `/${ids[0]}/cancel`)).status).toBe(409);
    expect(await (await jobs.download(ids[0] ?? '')).text()).toMatch(/^email,svc_status.*\na@business\.test,,+\n$/);
    await jobs.run();
    expect((await jobs.job(ids[2] ?? '')).state).toBe('done');
  });
});

describe('deletion', () => {
  it.each(['ready', 'done'])('leaves nothing of the files of a job that is %s, and keeps its record', async (state) => {
    const organisation = await service.createOrganisation();
    const jobs = client(organisation);
    const id = await jobs.ready('email\na@business.test\n');
    if (state === 'done') {
      await jobs.start(id);
      await jobs.run();
    }
    expect(jobs.files(id)).not.toEqual([]);
    const { status, body } = await jobs.call('DELETE', `/${id}`);
    expect({ status, state: body.job.state }).toEqual({ status: 200, state: state === 'done' ? 'done' : 'cancelled' });
    expect(body.job.files_deleted_at).not.toBeNull();
    expect(jobs.files(id)).toEqual([]);
    expect((await jobs.download(id)).status).toBe(410);
    expect((await jobs.call('GET', `/${id}/estimate`)).status).toBe(410);
    expect((await jobs.call('DELETE', `/${id}`)).status).toBe(200);
  });
});

it('a deleted organisation leaves no file behind', async () => {
  const organisation = await service.createOrganisation();
  const jobs = client(organisation);
  await jobs.ready('email\na@business.test\n');
  await service.call('DELETE', `/operator/v1/organisations/${organisation.id}`, service.operatorKey);
  expect(service.files.keys(`orgs/${organisation.id}`)).toEqual([]);
});

it('erasure reaches the traces that a job has written', async () => {
  const organisation = await service.createOrganisation();
  const jobs = client(organisation);
  const id = await jobs.ready('email\nMallory@bulk.business.test\nbob@business.test\n');
  await jobs.start(id);
  await jobs.run();
  const body = { email: 'mallory@bulk.business.test' };
  const { body: answer } = await service.call('POST', '/operator/v1/forget', service.operatorKey, body);
  expect(answer).toMatchObject({ forgotten: { traces: 1 } });
  const { traces } = (await service.call('GET', `/v1/traces?bulk_job_id=${id}`, organisation.keys.viewer)).body;
  const shown = traces.map(({ display, domain }: { display: string; domain: string }) => [display, domain]);
  expect(shown.toSorted()).toEqual([
    ['b•••@business.test', 'business.test'],
    ['•••', ''],
  ]);
});

it('an object that lost everything gets its jobs’ records back', async () => {
  const organisation = await service.createOrganisation();
  const jobs = client(organisation);
  const id = await jobs.ready('email\na@business.test\n');
  await jobs.start(id);
  await jobs.run();
  const before = await jobs.job(id);
  service.loseObject(organisation.id);
  await service.call('POST', `/operator/v1/organisations/${organisation.id}/rebuild`, service.operatorKey);
  expect(await jobs.job(id)).toEqual({ ...before, columns: null, files_deleted_at: expect.any(Number) });
  expect((await jobs.download(id)).status).toBe(410);
});

describe('what can’t be read', () => {
  const zip = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 1, 2, 3]);
  it.each<[name: string, file: string | Uint8Array<ArrayBuffer>, code: string]>([
    ['an empty file', '', 'empty_file'],
    ['blank lines', '\n\n  \n', 'empty_file'],
    ['a header alone', 'email,name\n', 'no_rows'],
    ['a zip', zip, 'not_text'],
    ['what turns out to be no text', `email\n${'a@business.test\n'.repeat(9_000)}\0`, 'not_text'],
    ['an unclosed quote', 'email\n"a@business.test\n', 'unclosed_quote'],
    ['short rows below a very wide one', `email${','.repeat(16_383)}\n${'a\n'.repeat(99_999)}`, 'too_wide'],
    ['100,001 rows', `email\n${'a@business.test\n'.repeat(100_001)}`, 'too_many_rows'],
  ])('%s makes a job that failed, with nothing left behind', async (_, file, code) => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.create();
    const { status, body } = await jobs.upload(id, file);
    expect({ status, state: body.job.state, code: body.job.error?.code }).toEqual({
      status: 200,
      state: 'failed',
      code,
    });
    expect(jobs.files(id)).toEqual([]);
    expect((await jobs.upload(id, 'email\n')).status).toBe(409);
  });

  it('a column of addresses that was not found is read once it is named', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.ready('name,where\nAda,London\n');
    expect(await jobs.job(id)).toMatchObject({ state: 'ready', email_column: null });
    const message = expect.stringMatching(
      /^No column .* PATCH the job with `email_column`: the text of a header, in quotes \("name", "where"\), or the number of a column, without quotes \(0 is the first, 1 the last\)\.$/,
    );
    const refused = { status: 400, body: { error: { code: 'no_email_column', message } } };
    expect(await jobs.call('GET', `/${id}/estimate`)).toMatchObject(refused);
    expect(await jobs.start(id)).toMatchObject(refused);
  });

  it('a second column of addresses is named until the caller has chosen', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.ready(
      'work_email,home_email\nada@business.test,ada@gmail.com\nbob@business.test,bob@gmail.com\n',
    );
    expect(await jobs.job(id)).toMatchObject({ email_column: 0, email_column_other: 1 });
    const change = async (body: object) => (await jobs.call('PATCH', `/${id}`, body)).body.job;
    expect(await change({ has_header: true })).toMatchObject({ email_column: 0, email_column_other: 1 });
    expect(await change({ email_column: 'home_email' })).toMatchObject({ email_column: 1, email_column_other: null });
    expect(await change({ has_header: true })).toMatchObject({ email_column: 1, email_column_other: null });
    expect(await change({ email_column: null })).toMatchObject({ email_column: 0, email_column_other: 1 });
  });

  it('a named column that is missing differs from none, and detection can run again', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.ready('id,work\n7,ada@business.test\n8,x\n', { email_column: 'nope' });
    const message =
      'The file does not have the column that `email_column` names. PATCH the job with `email_column`: the text of a header, in quotes ("id", "work"), or the number of a column, without quotes (0 is the first, 1 the last).';
    const refused = { status: 400, body: { error: { code: 'no_email_column', message } } };
    expect(await jobs.start(id)).toMatchObject(refused);
    const change = (email_column: unknown) => jobs.call('PATCH', `/${id}`, { email_column });
    expect(await change(2)).toMatchObject(refused);
    expect(await change('1')).toMatchObject(refused);
    expect((await change(true)).body.error.message).toBe(
      '`email_column` must be the text of a header, in quotes, or the number of a column, without quotes (0 is the first).',
    );
    expect((await change(0)).body.job).toMatchObject({ email_column: 0, invalid: 2 });
    expect((await change(null)).body.job).toMatchObject({ email_column: 1, invalid: 1 });
    const untitled = await jobs.ready('7,ada@business.test\n', { has_header: false });
    expect((await jobs.call('PATCH', `/${untitled}`, { email_column: '1' })).body.error.message).toMatch(
      / PATCH the job with `email_column`: the number of a column, without quotes \(0 is the first, 1 the last\)\.$/,
    );
  });
});

describe('an upload', () => {
  const stream = (blocks: number, fail = false) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (blocks === 0) return fail ? controller.error(new Error('gone')) : controller.close();
        blocks -= 1;
        controller.enqueue(new Uint8Array(2 ** 20).fill(0x61));
      },
    });

  it.each<[name: string, file: () => BodyInit, headers: Record<string, string>, status: number]>([
    ['of another type', () => 'email\n', { 'content-type': 'application/json' }, 400],
    ['said to be over 50 MB', () => 'email\n', { 'content-length': String(51 * 2 ** 20) }, 413],
    ['that turns out to be over 50 MB', () => stream(51), {}, 413],
    ['that breaks off', () => stream(20, true), {}, 400],
  ])('%s is refused, and the job still waits for its file', async (_, file, headers, status) => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.create();
    expect((await jobs.upload(id, file(), headers)).status).toBe(status);
    expect(jobs.files(id)).toEqual([]);
    expect((await jobs.upload(id, 'email\na@business.test\n')).body.job.state).toBe('ready');
  });

  it('is our fault when the bucket fails, and the job still waits for its file', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.create();
    const put = vi.spyOn(service.files.bucket, 'put');
    put.mockImplementationOnce(() => Promise.reject(new Error('put: We encountered an internal error. (10001)')));
    const file = 'email\na@business.test\n';
    expect((await jobs.upload(id, file, { 'content-length': String(file.length) })).status).toBe(503);
    put.mockImplementationOnce(() => Promise.reject(new Error('Network connection lost.')));
    expect((await jobs.upload(id, file, { 'content-length': String(file.length) })).status).toBe(400);
    expect(jobs.files(id)).toEqual([]);
    expect((await jobs.upload(id, file)).body.job.state).toBe('ready');
  });

  it('twice at once is taken once, and nothing of the other stays', async () => {
    const jobs = client(await service.createOrganisation());
    const id = await jobs.create();
    const answers = await Promise.all(['a', 'b'].map((name) => jobs.upload(id, `email\n${name}@business.test\n`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ error: { message: expect.not.stringContaining('uploading') } });
    expect(jobs.files(id).length).toBe(3);
  });
});

describe('a wish that no store takes', () => {
  it.each([
    { name: 'a\0b' },
    { name: '\ud800' },
    { email_column: 'a\nb' },
    { purpose: 'none' },
    { has_header: 'yes' },
    { name: 'x'.repeat(201) },
    { name: 'list of bob@corp.example' },
    { email_column: null },
  ])('%j is refused', async (wishes) => {
    expect((await client(await service.createOrganisation()).call('POST', '', wishes)).status).toBe(400);
  });
});

describe('a job', () => {
  it('is listed newest first, page by page, and by state', async () => {
    const jobs = client(await service.createOrganisation());
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push(await jobs.create());
    // Jobs of the same millisecond are ordered by id.
    ids.sort();
    const page = BulkJobList.parse((await jobs.call('GET', '?limit=2')).body);
    expect(page.jobs.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const rest = BulkJobList.parse((await jobs.call('GET', `?limit=2&cursor=${page.cursor}`)).body);
    expect([rest.jobs.map(({ id }) => id), rest.cursor]).toEqual([[ids[0]], null]);
    expect((await jobs.call('GET', '?state=done')).body.jobs).toEqual([]);
    expect((await jobs.call('GET', '?state=nothing')).status).toBe(400);
    expect((await jobs.call('GET', '?cursor=x')).status).toBe(400);
  });
});
