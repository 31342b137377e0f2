import { closure, namesAll, type Schema, typescriptOf, typesScript } from '../../scripts/openapi/typescript.ts';

/**
 * Writes `client/src/types.ts` from `public/openapi.json`. With `--check` it writes nothing and ends with 1 when the file
 * differs.
 */
const TARGET = 'client/src/types.ts';

/** The schemas that the client's functions take and return, and those that they refer to. */
const USED = [
  'CheckResult',
  'Verification',
  'VerificationContext',
  'ScreeningResult',
  'DomainStanding',
  'AddressStanding',
  'DomainList',
  'AddressList',
  'RulesAdded',
  'RulesRemoved',
  'BulkJob',
  'ErrorCode',
  'DecideRequest',
  'DecisionResult',
  'OutcomeRequest',
  'OutcomeReceipt',
  'ImportRequest',
  'ImportReceipt',
  'EventInput',
  'EventsReceipt',
  'PolicyList',
  'PolicyResponse',
  'PolicyDocument',
  'SimulateRequest',
  'Simulation',
  'Experiments',
  'LossesResponse',
  'PutLossesRequest',
  'SimulateLossesRequest',
  'LossSimulation',
  'TraceList',
  'TraceResponse',
  'TraceSearch',
  'ScreeningList',
  'ScreeningResponse',
  'CalibrationReport',
  'Segments',
  'Recommendations',
  'Identity',
  'Usage',
  'UsageSeries',
  'OwnKeyList',
  'CreateOwnKey',
  'OwnKeySecret',
  'ChangeOwnKey',
  'OwnKeyResponse',
  'RotateOwnKey',
  'AlertsResponse',
  'PutAlerts',
  'OwnOrganisationResponse',
  'ChangeOwnOrganisation',
  'MemberList',
  'ChangeMember',
  'MemberResponse',
  'Done',
  'InvitationList',
  'CreateInvitation',
  'InvitationResponse',
  'AuditLog',
  'OwnConnectionList',
  'CreateOwnConnection',
  'ChangeOwnConnection',
  'OwnConnectionResponse',
  'ExportAddress',
  'AddressExport',
  'ForgetAddress',
  'ErasureReceipt',
  'Subprocessors',
  'SwitchSubprocessor',
  'SubprocessorResponse',
  'RetentionResponse',
  'PutRetention',
  'Health',
  'CreateBulkJob',
  'PasteBulkJob',
  'StartBulkJob',
  'BulkJobList',
  'BulkJobResponse',
  'ChangeBulkJob',
  'BulkEstimate',
  'BulkPreview',
  'BlockBulkSegment',
  'RulesBlocked',
];

async function typesOf(openapi: string): Promise<string> {
  const { components } = JSON.parse(openapi) as { components: { schemas: Record<string, Schema> } };
  const schemas = closure(components.schemas, USED);
  // A type that names them all is added and removed again: without it the generator comments on each.
  const banner = '// Written by `npm run client:types` from public/openapi.json.';
  const text = await typescriptOf('All', namesAll([...schemas.keys()].sort()), schemas, banner);
  return text.replace(/export interface All \{[^}]*\}\n/, '');
}

await typesScript('client:types', "Writes the client library's types from the OpenAPI document.", TARGET, typesOf);
