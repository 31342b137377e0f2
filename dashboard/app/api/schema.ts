// Written by `npm run dashboard:types` from public/openapi.json.

export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'quota_exceeded'
  | 'screening_quota_exceeded'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_in_progress'
  | 'version_conflict'
  | 'no_email_column'
  | 'rate_limited'
  | 'internal_error'
  | 'dependency_unavailable'
  | 'all_providers_failed';
export type Purpose = 'outbound' | 'signup' | 'list_hygiene';
export type Verdict = 'valid' | 'likely_valid' | 'risky' | 'likely_invalid' | 'invalid' | 'unknown';
export type Calibration = 'prior' | 'fitted';
export type Recommendation = 'send' | 'hold' | 'challenge' | 'drop';
export type ActorClass = 'human_mailbox' | 'agent_mailbox' | 'relay_alias' | 'role_account' | 'shared' | 'unknown';
export type MailboxType = 'corporate' | 'consumer' | 'role' | 'unknown';
export type Esp = 'hosted_suite_a' | 'hosted_suite_b' | 'consumer_esp' | 'self_hosted' | 'unknown';
export type EmailType = 'business' | 'free' | 'role' | 'disposable' | 'relay' | 'unknown';
export type CheckReason =
  | 'syntax_invalid'
  | 'address_blocklisted'
  | 'domain_blocklisted'
  | 'no_mx'
  | 'mx_unresolved'
  | 'disposable_domain'
  | 'disposable_suspected'
  | 'domain_allowlisted'
  | 'address_allowlisted';
export type MxProvider =
  | 'google'
  | 'microsoft'
  | 'yahoo'
  | 'apple'
  | 'zoho'
  | 'proton'
  | 'fastmail'
  | 'yandex'
  | 'proofpoint'
  | 'mimecast'
  | 'barracuda'
  | 'unknown';
export type ScreeningReason =
  | 'syntax_invalid'
  | 'address_blocklisted'
  | 'domain_blocklisted'
  | 'no_mx'
  | 'disposable_domain'
  | 'typo_domain'
  | 'typo_name'
  | 'placeholder'
  | 'name_mismatch'
  | 'fake_name'
  | 'domain_suspicious'
  | 'role_account';
export type Decision = 'allow' | 'allow_with_flow' | 'review' | 'challenge' | 'deny';
export type EmployeesRange =
  | '1-10'
  | '11-50'
  | '51-200'
  | '201-500'
  | '501-1000'
  | '1001-5000'
  | '5001-10000'
  | '10001+';
export type Seniority = 'junior' | 'senior' | 'manager' | 'director' | 'executive';
export type IcpFit = 'strong' | 'partial' | 'none' | 'unknown';
export type EnrichmentLimit = 'cost_ceiling' | 'latency_ceiling' | 'budget';
export type Op =
  | 'eq'
  | 'ne'
  | 'in'
  | 'not_in'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'exists'
  | 'contains'
  | 'starts_with'
  | 'ends_with';
export type Scalar = string | number | boolean;
export type Explanation = {
  rule_id: string;
  matched: boolean;
  conditions: {
    path: string;
    op: Op;
    value: Scalar | Scalar[];
    /**
     * Null: missing, or not asked for.
     */
    actual: (Scalar | string[]) | null;
    /**
     * Null: the value was not asked for, because the rule matched or failed without it.
     */
    matched: boolean | null;
  }[];
}[];
export type PolicyCondition =
  | {
      all: PolicyCondition[];
    }
  | {
      any: PolicyCondition[];
    }
  | {
      not: PolicyCondition;
    }
  | Comparison;
export type BulkState =
  | 'uploading'
  | 'ready'
  | 'queued'
  | 'running'
  | 'paused_quota'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'expired';
export type BulkErrorCode =
  | 'empty_file'
  | 'not_text'
  | 'no_rows'
  | 'too_many_rows'
  | 'unclosed_quote'
  | 'internal_error'
  | 'expired_unfinished';
export type Unasked =
  | 'no_provider'
  | 'test_key'
  | 'settled'
  | 'known'
  | 'not_worth_its_price'
  | 'budget_spent'
  | 'over_the_ceiling'
  | 'unavailable';
export type OutcomesReceipt =
  | {
      /**
       * In the order of the request.
       */
      outcomes: OutcomeReceipt[];
    }
  | OutcomeReceipt;
export type Outcome = 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unknown';
export type ConnectionKind = 'stripe' | 'ses' | 'sendgrid' | 'postmark' | 'mailgun' | 'resend';
export type KeyOrigin = 'auto' | 'manual' | 'service';
export type Role = 'viewer' | 'member' | 'admin';

export interface Paths {
  '/health': {
    /**
     * Get health
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Health;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/verify': {
    /**
     * Verify
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': VerifyRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Verification;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/check': {
    /**
     * Check
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': CheckRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': CheckResult;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/screen': {
    /**
     * Screen
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': ScreenRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': ScreeningResult;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/screenings': {
    /**
     * List screenings
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
              key_id?: string | undefined;
              /**
               * Epoch seconds: rows of then and later.
               */
              from?: number | undefined;
              /**
               * Epoch seconds: rows of before.
               */
              to?: number | undefined;
              recommendation?: ('allow' | 'review') | undefined;
              reason?:
                | (
                    | 'syntax_invalid'
                    | 'address_blocklisted'
                    | 'domain_blocklisted'
                    | 'no_mx'
                    | 'disposable_domain'
                    | 'typo_domain'
                    | 'typo_name'
                    | 'placeholder'
                    | 'name_mismatch'
                    | 'fake_name'
                    | 'domain_suspicious'
                    | 'role_account'
                  )
                | undefined;
              domain?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': ScreeningList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/decide': {
    /**
     * Decide
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': DecideRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': DecisionResult;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/policies': {
    /**
     * List policies
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': PolicyList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/policies/{slug}': {
    /**
     * Get policy
     */
    get: {
      parameters: {
        path: {
          /**
           * The policy’s name.
           */
          slug: string;
        };
        query?:
          | {
              version?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': PolicyResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Put policy
     */
    put: {
      parameters: {
        path: {
          /**
           * The policy’s name.
           */
          slug: string;
        };
      };
      requestBody: {
        content: {
          'application/json': PolicyDocument;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': PolicyResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/losses': {
    /**
     * Get losses
     */
    get: {
      parameters: {
        query?:
          | {
              version?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': LossesResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Put losses
     */
    put: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': PutLossesRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': LossesResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/losses/simulate': {
    /**
     * Simulate losses
     */
    post: {
      parameters: {};
      requestBody?:
        | {
            content: {
              'application/json': SimulateLossesRequest;
            };
          }
        | undefined;
      responses: {
        200: {
          content: {
            'application/json': LossSimulation;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/policies/{slug}/experiments': {
    /**
     * Get experiments
     */
    get: {
      parameters: {
        path: {
          /**
           * The policy’s name.
           */
          slug: string;
        };
        query?:
          | {
              metric?: string | undefined;
              window_days?: number | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': Experiments;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/policies/{slug}/simulate': {
    /**
     * Simulate policy
     */
    post: {
      parameters: {
        path: {
          /**
           * The policy’s name.
           */
          slug: string;
        };
      };
      requestBody: {
        content: {
          'application/json': SimulateRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Simulation;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/domains/blocklist': {
    /**
     * List blocked domains
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
              /**
               * Entries whose domain, mask or note has this text, in any case of A to Z.
               */
              search?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': DomainList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Block domains
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': AddDomains;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesAdded;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Unblock domains
     */
    delete: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': RemoveDomains;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesRemoved;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/domains/allowlist': {
    /**
     * List allowed domains
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
              /**
               * Entries whose domain, mask or note has this text, in any case of A to Z.
               */
              search?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': DomainList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Allow domains
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': AddDomains;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesAdded;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Unallow domains
     */
    delete: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': RemoveDomains;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesRemoved;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/domains/check': {
    /**
     * Check domain
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': CheckDomainRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': DomainStanding;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/addresses/blocklist': {
    /**
     * List blocked addresses
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
              /**
               * Entries whose domain, mask or note has this text, in any case of A to Z.
               */
              search?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': AddressList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Block addresses
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': AddAddresses;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesAdded;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Unblock addresses
     */
    delete: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': RemoveAddresses;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesRemoved;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/addresses/allowlist': {
    /**
     * List allowed addresses
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
              /**
               * Entries whose domain, mask or note has this text, in any case of A to Z.
               */
              search?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': AddressList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Allow addresses
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': AddAddresses;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesAdded;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Unallow addresses
     */
    delete: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': RemoveAddresses;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesRemoved;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/addresses/check': {
    /**
     * Check address
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': CheckAddressRequest;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': AddressStanding;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs': {
    /**
     * Create bulk job
     */
    post: {
      parameters: {};
      requestBody?:
        | {
            content: {
              'application/json': CreateBulkJob;
            };
          }
        | undefined;
      responses: {
        201: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * List bulk jobs
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
              state?:
                | (
                    | 'uploading'
                    | 'ready'
                    | 'queued'
                    | 'running'
                    | 'paused_quota'
                    | 'done'
                    | 'failed'
                    | 'cancelled'
                    | 'expired'
                  )
                | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': BulkJobList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}': {
    /**
     * Get bulk job
     */
    get: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Change bulk job
     */
    patch: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': ChangeBulkJob;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Delete bulk job
     */
    delete: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/upload': {
    /**
     * Upload bulk file
     */
    put: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      requestBody: {
        content: {
          'text/csv': string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/paste': {
    /**
     * Paste bulk emails
     */
    post: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': PasteBulkJob;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/estimate': {
    /**
     * Estimate bulk job
     */
    get: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': BulkEstimate;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/start': {
    /**
     * Start bulk job
     */
    post: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      requestBody?:
        | {
            content: {
              'application/json': StartBulkJob;
            };
          }
        | undefined;
      responses: {
        202: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/cancel': {
    /**
     * Cancel bulk job
     */
    post: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/resume': {
    /**
     * Resume bulk job
     */
    post: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      responses: {
        202: {
          content: {
            'application/json': BulkJobResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/results.csv': {
    /**
     * Get bulk results
     */
    get: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
        query?:
          | {
              /**
               * `all`, `business`, `deliverable` (recommendation `send`), `undeliverable` (`drop`), `review` (`hold`, `challenge`); with a policy, by its decision, `allow`, `deny` and `review` in place of the last three.
               */
              segment?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'text/csv': string;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/bulk/jobs/{id}/block': {
    /**
     * Block bulk segment
     */
    post: {
      parameters: {
        path: {
          /**
           * A job: `bj_…`.
           */
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': BlockBulkSegment;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RulesBlocked;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/outcome': {
    /**
     * Outcome
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json':
            | {
                outcomes: {
                  /**
                   * The verification reported on; a well-formed id that is not known is accepted.
                   */
                  trace_id: string;
                  outcome: 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unknown';
                  /**
                   * A code as text (`"550"`), or a whole bounce message: only its basic and its enhanced code are kept.
                   */
                  smtp_code?: string | undefined;
                }[];
              }
            | {
                /**
                 * The verification reported on; a well-formed id that is not known is accepted.
                 */
                trace_id: string;
                outcome: 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unknown';
                /**
                 * A code as text (`"550"`), or a whole bounce message: only its basic and its enhanced code are kept.
                 */
                smtp_code?: string | undefined;
              };
        };
      };
      responses: {
        202: {
          content: {
            'application/json': OutcomesReceipt;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/outcomes/import': {
    /**
     * Import outcomes
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': ImportRequest;
        };
      };
      responses: {
        202: {
          content: {
            'application/json': ImportReceipt;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/events': {
    /**
     * Events
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json':
            | {
                events: {
                  trace_id: string;
                  event: string;
                  /**
                   * Epoch seconds; not more than a day ahead.
                   */
                  at: number;
                  properties?:
                    | {
                        [k: string]: string | number | boolean;
                      }
                    | undefined;
                }[];
              }
            | {
                trace_id: string;
                event: string;
                /**
                 * Epoch seconds; not more than a day ahead.
                 */
                at: number;
                properties?:
                  | {
                      [k: string]: string | number | boolean;
                    }
                  | undefined;
              };
        };
      };
      responses: {
        202: {
          content: {
            'application/json': EventsReceipt;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/connections': {
    /**
     * Get own connections
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': OwnConnectionList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Create own connection
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': CreateOwnConnection;
        };
      };
      responses: {
        201: {
          content: {
            'application/json': OwnConnectionResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/connections/{id}': {
    /**
     * Change own connection
     */
    patch: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': ChangeOwnConnection;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': OwnConnectionResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Delete own connection
     */
    delete: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Done;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/addresses/export': {
    /**
     * Export address
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': ExportAddress;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': AddressExport;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/addresses/forget': {
    /**
     * Forget address
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': ForgetAddress;
        };
      };
      responses: {
        202: {
          content: {
            'application/json': ErasureReceipt;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/subprocessors': {
    /**
     * Get subprocessors
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Subprocessors;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/subprocessors/{id}': {
    /**
     * Switch subprocessor
     */
    patch: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': SwitchSubprocessor;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': SubprocessorResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/retention': {
    /**
     * Get retention
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': RetentionResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Put retention
     */
    put: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': PutRetention;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RetentionResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/traces': {
    /**
     * List traces
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
              bulk_job_id?: string | undefined;
              key_id?: string | undefined;
              scope?: string | undefined;
              /**
               * Epoch seconds: rows of then and later.
               */
              from?: number | undefined;
              /**
               * Epoch seconds: rows of before.
               */
              to?: number | undefined;
              kind?: ('verify' | 'decide' | 'bulk') | undefined;
              /**
               * What a policy decided.
               */
              decision?: ('allow' | 'allow_with_flow' | 'review' | 'challenge' | 'deny') | undefined;
              recommendation?: ('send' | 'hold' | 'challenge' | 'drop') | undefined;
              verdict?: ('valid' | 'likely_valid' | 'risky' | 'likely_invalid' | 'invalid' | 'unknown') | undefined;
              reason?:
                | (
                    | 'syntax_invalid'
                    | 'address_blocklisted'
                    | 'domain_blocklisted'
                    | 'no_mx'
                    | 'mx_unresolved'
                    | 'disposable_domain'
                    | 'disposable_suspected'
                    | 'domain_allowlisted'
                    | 'address_allowlisted'
                  )
                | undefined;
              email_type?: ('business' | 'free' | 'role' | 'disposable' | 'relay' | 'unknown') | undefined;
              esp?: ('hosted_suite_a' | 'hosted_suite_b' | 'consumer_esp' | 'self_hosted' | 'unknown') | undefined;
              domain?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': TraceList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/traces/{trace_id}': {
    /**
     * Get trace
     */
    get: {
      parameters: {
        path: {
          /**
           * `vr_…`, or `dc_…` of a decision.
           */
          trace_id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': TraceResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/traces/search': {
    /**
     * Search traces
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': TraceSearch;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': TraceList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/calibration': {
    /**
     * Get calibration
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': CalibrationReport;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/segments': {
    /**
     * Get segments
     */
    get: {
      parameters: {
        query?:
          | {
              metric?: string | undefined;
              window_days?: number | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': Segments;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/recommendations': {
    /**
     * Get recommendations
     */
    get: {
      parameters: {
        query?:
          | {
              metric?: string | undefined;
              window_days?: number | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': Recommendations;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/me': {
    /**
     * Get me
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Identity;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/usage': {
    /**
     * Get usage
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Usage;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/usage/series': {
    /**
     * Get usage series
     */
    get: {
      parameters: {
        query?:
          | {
              /**
               * Epoch seconds, by default 29 days before `to`.
               */
              from?: number | undefined;
              /**
               * Epoch seconds, by default now; its whole day counts.
               */
              to?: number | undefined;
              /**
               * UTC days or months.
               */
              interval?: ('day' | 'month') | undefined;
              /**
               * Splits the calls. `key`: a key below admin sees its own alone. `recommendation`: without screenings.
               */
              by?: ('key' | 'kind' | 'decision' | 'recommendation') | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': UsageSeries;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/keys': {
    /**
     * List own keys
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': OwnKeyList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Create own key
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': CreateOwnKey;
        };
      };
      responses: {
        201: {
          content: {
            'application/json': OwnKeySecret;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/keys/{id}': {
    /**
     * Change own key
     */
    patch: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': ChangeOwnKey;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': OwnKeyResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Revoke own key
     */
    delete: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': OwnKeyResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/keys/{id}/rotate': {
    /**
     * Rotate own key
     */
    post: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody?:
        | {
            content: {
              'application/json': RotateOwnKey;
            };
          }
        | undefined;
      responses: {
        200: {
          content: {
            'application/json': OwnKeySecret;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/organisation': {
    /**
     * Get own organisation
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': OwnOrganisationResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Change own organisation
     */
    patch: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': ChangeOwnOrganisation;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': OwnOrganisationResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Delete own organisation
     */
    delete: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Done;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/members': {
    /**
     * Get members
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': MemberList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/members/{id}': {
    /**
     * Change member
     */
    patch: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': ChangeMember;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': MemberResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Remove member
     */
    delete: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Done;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/membership': {
    /**
     * Leave organisation
     */
    delete: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Done;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/invitations': {
    /**
     * Get invitations
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': InvitationList;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
    /**
     * Create invitation
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': CreateInvitation;
        };
      };
      responses: {
        201: {
          content: {
            'application/json': InvitationResponse;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/invitations/{id}': {
    /**
     * Withdraw invitation
     */
    delete: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Done;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
  '/v1/audit': {
    /**
     * List audit
     */
    get: {
      parameters: {
        query?:
          | {
              limit?: number | undefined;
              cursor?: string | undefined;
            }
          | undefined;
      };
      responses: {
        200: {
          content: {
            'application/json': AuditLog;
          };
        };
        default: {
          content: {
            'application/json': ErrorEnvelope;
          };
        };
      };
    };
  };
}
export interface Health {
  /**
   * `misconfigured`: a setting that the service needs is wrong or missing; what needs it answers 503.
   */
  status: 'ok' | 'misconfigured';
  version: string;
}
export interface ErrorEnvelope {
  error: {
    code: ErrorCode;
    /**
     * For people. Branch on `code`.
     */
    message: string;
    /**
     * Quote it to support; also in the `x-trace-id` header.
     */
    trace_id: string;
  };
}
export interface VerifyRequest {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  context?: VerificationContext | undefined;
}
export interface VerificationContext {
  /**
   * `signup` when left out; `outbound` in the tool `verify_email`.
   */
  purpose?: Purpose | undefined;
  /**
   * Kept on the trace; changes no number.
   */
  sender_domain?: string | undefined;
  /**
   * The service asks fewer providers rather than exceed it. 0.02 when left out.
   */
  max_cost_usd?: number | undefined;
  /**
   * Likewise. 3,500 when left out.
   */
  max_latency_ms?: number | undefined;
}
export interface Verification {
  email: string;
  verdict: Verdict;
  /**
   * 0.31 means 31 in 100 such sends hard-bounce.
   */
  bounce_probability: number;
  /**
   * 90 % credible interval of the probability.
   */
  confidence_interval: number[];
  calibration: Calibration;
  recommendation: Recommendation;
  actor_class: ActorClass;
  mailbox_type: MailboxType;
  esp: Esp;
  email_type: EmailType;
  /**
   * The address as it was meant, where its domain is a slip of a well-known one; else absent. Ask the person.
   */
  did_you_mean?: string | undefined;
  signals: Signals;
  providers: {
    [k: string]: ProviderReceipt;
  };
  disagreement: number;
  /**
   * What is known of a domain is not a hit and shows no time.
   */
  cache: {
    /**
     * Stored evidence of yours about this address took part, and no provider was asked.
     */
    hit: boolean;
    /**
     * Seconds until the newest of it is forgotten; 0 without a hit.
     */
    ttl_s: number;
  };
  /**
   * What the answers in `providers` cost. A call that was given up, or failed midway, may be billed too: it counts against `max_cost_usd` and in `provider_spend_usd` of the usage, not here.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  trace_id: string;
  reason: CheckReason | null;
  reasons: CheckReason[];
  degraded?: true | undefined;
  identity_hash?: string | undefined;
}
export interface Signals {
  syntax: boolean;
  /**
   * Null when the DNS look-up itself failed.
   */
  mx: boolean | null;
  disposable: boolean;
  role_account: boolean;
  catch_all: boolean;
  relay_alias: boolean;
}
export interface ProviderReceipt {
  verdict: 'deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown';
  /**
   * Wall-clock milliseconds.
   */
  ms: number;
  /**
   * US dollars, at most 6 decimals.
   */
  cost: number;
  reason: string | null;
}
export interface CheckRequest {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
}
export interface CheckResult {
  email: string;
  domain: string;
  /**
   * Not a claim that the mailbox exists.
   */
  passes: boolean;
  disposable: boolean;
  suspected: boolean;
  reason: CheckReason | null;
  reasons: CheckReason[];
  checks: Checks;
  esp: Esp;
  email_type: EmailType;
  /**
   * The address as it was meant, where its domain is a slip of a well-known one; else absent. Ask the person.
   */
  did_you_mean?: string | undefined;
  mx_hosts: string[];
  mx_provider: MxProvider | null;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  trace_id: string;
}
export interface Checks {
  syntax: 'pass' | 'fail';
  /**
   * `unknown` when the DNS look-up itself failed.
   */
  mx: 'pass' | 'fail' | 'unknown';
  disposable: 'pass' | 'fail' | 'suspected';
}
export interface ScreenRequest {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  /**
   * As people write it; empty counts as absent.
   */
  name?: string | undefined;
}
export interface ScreeningResult {
  email: string;
  domain: Checks;
  screening: ScreeningLabels;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  trace_id: string;
}
export interface ScreeningLabels {
  /**
   * A corrected full address.
   */
  typo_suggestion: string | null;
  typo_source: ('name_match' | 'domain') | null;
  /**
   * `not_checked`: the request gave no name.
   */
  name_match: 'match' | 'typo' | 'partial' | 'mismatch' | 'not_checked';
  /**
   * `not_checked`: the model was not asked or did not answer.
   */
  fake_name: 'likely' | 'unlikely' | 'uncertain' | 'not_checked';
  /**
   * Judged from the domain name alone.
   */
  domain_check: 'ok' | 'typo_like' | 'lookalike' | 'placeholder' | 'throwaway_like' | 'uncertain' | 'not_checked';
  /**
   * The address looks like one typed only to get past a form.
   */
  placeholder: boolean;
  recommendation: 'allow' | 'review';
  reasons: ScreeningReason[];
  /**
   * A model request was made and failed.
   */
  degraded: boolean;
}
export interface ScreeningList {
  screenings: ScreeningRow[];
  cursor: string | null;
}
export interface ScreeningRow {
  trace_id: string;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  /**
   * Epoch seconds.
   */
  created_at: number;
  key_id: string | null;
  /**
   * `typo_suggestion` masked like `display`.
   */
  screening: ScreeningLabels;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
}
export interface DecideRequest {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  /**
   * Read by screening, and to tell a family’s own domain from a slip. Never stored.
   */
  name?: string | undefined;
  context?: VerificationContext | undefined;
  /**
   * `default` when left out.
   */
  policy_slug?: string | undefined;
  /**
   * Facts the policy reads.
   */
  attributes?:
    | {
        [k: string]: string | number | boolean;
      }
    | undefined;
  /**
   * Adds `explanation`.
   */
  explain?: boolean | undefined;
}
export interface DecisionResult {
  decision: Decision;
  /**
   * `default` when no rule matched.
   */
  rule_id: string;
  /**
   * The rule’s description.
   */
  reason: string | null;
  /**
   * With `allow_with_flow` only.
   */
  flow: string | null;
  policy: {
    slug: string;
    version: number;
  };
  /**
   * The first experiment met.
   */
  experiment: ExperimentArm | null;
  verification: Verification;
  /**
   * Present when a rule needed it.
   */
  screening?: ScreeningLabels | undefined;
  company: Company | null;
  person: Person | null;
  icp: {
    fit: IcpFit;
  };
  enrichment: {
    /**
     * Whether a vendor was asked for this request.
     */
    asked: boolean;
    /**
     * US dollars, at most 6 decimals.
     */
    cost_usd: number;
    /**
     * A value a rule reads is missing because a vendor failed.
     */
    degraded: boolean;
    /**
     * Present when a value a rule reads is missing because a vendor could not be asked within `max_cost_usd`, `max_latency_ms` or what the month’s enrichment budget has left.
     */
    limited_by?: EnrichmentLimit[] | undefined;
  };
  explanation?: Explanation | undefined;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  trace_id: string;
}
export interface ExperimentArm {
  id: string;
  arm: 'treatment' | 'control';
}
export interface Company {
  name: string | null;
  domain: string | null;
  industry: string | null;
  employees_range: EmployeesRange | null;
  /**
   * ISO 3166-1 alpha-2.
   */
  country: string | null;
}
export interface Person {
  seniority: Seniority | null;
}
export interface PolicyList {
  policies: Policy[];
  cursor: string | null;
}
export interface Policy {
  slug: string;
  version: number;
  name: string;
  rules: PolicyRule[];
  default: Decision;
  icp: IcpProfile | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  created_by: string | null;
}
export interface PolicyRule {
  id: string;
  /**
   * The `reason` of a decision this rule makes.
   */
  description?: string | undefined;
  when: PolicyCondition;
  decision: Decision;
  /**
   * With `allow_with_flow` only, and needed there.
   */
  flow?: string | undefined;
  experiment?: Experiment | undefined;
}
export interface Comparison {
  /**
   * `verification.*`, `screening.*`, `company.*`, `person.*`, `icp.fit`, `attributes.*`, `context.*`.
   */
  path: string;
  /**
   * Text is compared without regard to case. A missing value makes all but `ne`, `not_in` and `exists` false.
   */
  op: Op;
  /**
   * A list for `in` and `not_in`, a boolean for `exists`.
   */
  value: Scalar | Scalar[];
}
export interface Experiment {
  id: string;
  weight: number;
  /**
   * Exposures each arm needs before its rates are shown.
   */
  min_sample: number;
  /**
   * Event names that must not get worse.
   */
  guardrails?: string[] | undefined;
}
export interface IcpProfile {
  industries: string[];
  employees_ranges: EmployeesRange[];
  /**
   * ISO 3166-1 alpha-2.
   */
  countries: string[];
  seniorities: Seniority[];
}
export interface PolicyResponse {
  policy: Policy;
}
export interface PolicyDocument {
  name: string;
  rules: PolicyRule[];
  default: Decision;
  icp?: (IcpProfile | null) | undefined;
}
export interface LossesResponse {
  losses: AccountLosses;
}
export interface AccountLosses {
  /**
   * 0: the service’s own losses, until you set yours.
   */
  version: number;
  outbound: Losses;
  signup: Losses;
  list_hygiene: Losses;
  /**
   * Null for version 0.
   */
  created_at: number | null;
  /**
   * A user or a key; null for version 0.
   */
  created_by: string | null;
}
export interface Losses {
  /**
   * A message sent to an address that bounces.
   */
  bounce: number;
  /**
   * A good contact dropped.
   */
  contact_lost: number;
  /**
   * A good contact held or challenged.
   */
  held_good: number;
  /**
   * A bad address held or challenged.
   */
  held_bad: number;
}
/**
 * A purpose that is left out has the service’s own losses.
 */
export interface PutLossesRequest {
  outbound?: Losses | undefined;
  signup?: Losses | undefined;
  list_hygiene?: Losses | undefined;
}
export interface SimulateLossesRequest {
  /**
   * As `PUT` takes them; left out, the service’s own.
   */
  losses?: PutLossesRequest | undefined;
  window_days?: number | undefined;
}
export interface LossSimulation {
  window_days: number;
  /**
   * False: the window has more traces than were looked at in the time there is, the newest first.
   */
  complete: boolean;
  /**
   * Traces looked at: those of `counts` and the `undetermined` ones.
   */
  traces: number;
  /**
   * What would be recommended.
   */
  counts: Partial<Record<Recommendation, number>>;
  /**
   * The trace’s detail is gone: it is kept 90 days.
   */
  undetermined: number;
  /**
   * The most frequent pair first.
   */
  changed: {
    from: Recommendation;
    to: Recommendation;
    count: number;
  }[];
  /**
   * Traces whose recommendation changes.
   */
  sample_trace_ids: string[];
}
export interface Experiments {
  experiments: {
    id: string;
    rule_id: string;
    weight: number;
    min_sample: number;
    ready: boolean;
    arms: {
      arm: 'treatment' | 'control';
      exposures: number;
      events: number;
      /**
       * Null until each arm has `min_sample` exposures.
       */
      rate: number | null;
      /**
       * 90 %, equal tails.
       */
      ci: number[] | null;
    }[];
    /**
     * That treatment does better by the metric.
     */
    probability_better: number | null;
    guardrails: {
      event: string;
      arms: {
        arm: 'treatment' | 'control';
        exposures: number;
        events: number;
        /**
         * Null until each arm has `min_sample` exposures.
         */
        rate: number | null;
        /**
         * 90 %, equal tails.
         */
        ci: number[] | null;
      }[];
    }[];
  }[];
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
}
export interface SimulateRequest {
  /**
   * A `PolicyDocument`.
   */
  policy: {
    [k: string]: unknown;
  };
  window_days?: number | undefined;
}
export interface Simulation {
  window_days: number;
  /**
   * False: the window has more traces than were looked at in the time there is, the newest first.
   */
  complete: boolean;
  /**
   * Traces looked at: those of `counts` and the `undetermined` ones.
   */
  traces: number;
  /**
   * What the draft decides.
   */
  counts: Partial<Record<Decision, number>>;
  /**
   * The draft’s decision depends on a value that is not stored.
   */
  undetermined: number;
  /**
   * Of decisions made by this policy, the most frequent pair first.
   */
  changed: {
    from: Decision;
    to: Decision;
    count: number;
  }[];
  /**
   * Traces whose decision changes.
   */
  sample_trace_ids: string[];
  /**
   * What the draft decides, by kind of call.
   */
  by_kind: {
    kind: 'verify' | 'decide' | 'bulk';
    counts: Partial<Record<Decision, number>>;
  }[];
  /**
   * Which rule decides, the most frequent first.
   */
  by_rule: {
    /**
     * `default`: no rule matched.
     */
    rule_id: string;
    count: number;
    sample_trace_ids: string[];
  }[];
  /**
   * Oldest first; without days that have no trace.
   */
  by_day: {
    /**
     * Where the UTC day begins.
     */
    at: number;
    counts: Partial<Record<Decision, number>>;
  }[];
  /**
   * What those that the draft denies went on to do, by the events that name them.
   */
  denied: {
    /**
     * Of traces that the draft denies, the newest, up to 500.
     */
    traces: number;
    /**
     * How many of them have an event.
     */
    with_events: number;
    /**
     * How many of them have each event.
     */
    events: {
      [k: string]: number;
    };
  };
}
export interface DomainList {
  rule: 'block' | 'allow';
  entries: {
    id: string;
    /**
     * Lower-case A-labels.
     */
    domain: string;
    note: string | null;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A user, or a key that has none.
     */
    created_by: string;
  }[];
  /**
   * Entries on the list, all pages together; with `search`, those that have the text.
   */
  count: number;
  /**
   * Null on the last page.
   */
  cursor: string | null;
}
export interface AddDomains {
  /**
   * Domains, up to 1000.
   */
  domains: string[];
  /**
   * Up to 500 characters, kept with every entry; empty: entries lose theirs. No email address.
   */
  note?: string | undefined;
}
export interface RulesAdded {
  rule: 'block' | 'allow';
  added: number;
  /**
   * Taken from the other list.
   */
  moved: number;
  /**
   * On the list already; a note that was sent is now theirs, an empty one takes theirs away.
   */
  unchanged: number;
  /**
   * Entries now on the list.
   */
  total: number;
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    reason: 'invalid_address' | 'invalid_domain' | 'public_suffix' | 'unknown_trace' | 'unknown_id';
  }[];
}
export interface RemoveDomains {
  /**
   * Domains, up to 1000.
   */
  domains?: string[] | undefined;
  /**
   * Ids from the listing, up to 1000.
   */
  ids?: string[] | undefined;
}
export interface RulesRemoved {
  rule: 'block' | 'allow';
  removed: number;
  /**
   * Not on this list.
   */
  not_found: number;
  /**
   * Entries now on the list.
   */
  total: number;
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    reason: 'invalid_address' | 'invalid_domain' | 'public_suffix' | 'unknown_trace' | 'unknown_id';
  }[];
}
export interface CheckDomainRequest {
  /**
   * No URL, no address.
   */
  domain: string;
}
export interface DomainStanding {
  /**
   * Lower-case A-labels.
   */
  domain: string;
  status: 'blocked' | 'allowed' | 'disposable' | 'suspected' | 'none';
  org_rule: ('block' | 'allow') | null;
  /**
   * The rule’s.
   */
  note: string | null;
  /**
   * The domain the rule is on: this one or a parent.
   */
  matched_domain: string | null;
  disposable: boolean;
  suspected: boolean;
}
export interface AddressList {
  rule: 'block' | 'allow';
  entries: AddressEntry[];
  /**
   * Entries on the list, all pages together; with `search`, those that have the text.
   */
  count: number;
  /**
   * Null on the last page.
   */
  cursor: string | null;
}
export interface AddressEntry {
  id: string;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  note: string | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * A user, or a key that has none.
   */
  created_by: string;
}
export interface AddAddresses {
  /**
   * Addresses, up to 1000.
   */
  emails?: string[] | undefined;
  /**
   * Traces of the organisation that name the address, up to 1000.
   */
  trace_ids?: string[] | undefined;
  /**
   * Up to 500 characters, kept with every entry; empty: entries lose theirs. No email address.
   */
  note?: string | undefined;
}
export interface RemoveAddresses {
  /**
   * Addresses, up to 1000.
   */
  emails?: string[] | undefined;
  /**
   * Ids from the listing, up to 1000.
   */
  ids?: string[] | undefined;
  /**
   * Traces of the organisation that name the address, up to 1000.
   */
  trace_ids?: string[] | undefined;
}
export interface CheckAddressRequest {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
}
export interface AddressStanding {
  /**
   * Of the address itself.
   */
  org_rule: ('block' | 'allow') | null;
  /**
   * The address rule’s.
   */
  note: string | null;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  domain_rule: ('block' | 'allow') | null;
  /**
   * What a verification does with both together.
   */
  effective: 'block' | 'allow' | 'none';
}
export interface CreateBulkJob {
  name?: string | undefined;
  purpose?: Purpose | undefined;
  policy_slug?: string | undefined;
  has_header?: boolean | undefined;
  email_column?: (string | number) | undefined;
}
export interface BulkJobResponse {
  job: BulkJob;
}
export interface BulkJob {
  id: string;
  state: BulkState;
  name: string | null;
  purpose: Purpose;
  policy_slug: string | null;
  /**
   * Null until a file was read.
   */
  has_header: boolean | null;
  /**
   * Zero-based; null where none was found.
   */
  email_column: number | null;
  /**
   * The header’s cells. A cell is empty where it holds an address or a phone number, and all are empty in a file without a header. Null until a file is read, and once its files are deleted.
   */
  columns: string[] | null;
  /**
   * Without the header and blank lines.
   */
  rows: number | null;
  /**
   * Different addresses: each is one verification.
   */
  unique: number | null;
  /**
   * Rows that will be `skipped`.
   */
  invalid: number | null;
  progress: {
    chunks_done: number;
    chunks_total: number;
    /**
     * Rows, repeated addresses and skipped ones too: `rows` when done.
     */
    rows_done: number;
  } | null;
  counts: Partial<Record<Verdict, number>>;
  /**
   * Addresses that a provider was asked about; null in jobs of earlier releases.
   */
  providers_asked: number | null;
  /**
   * Why not about the other addresses: `settled`, a finding or a rule ends it; `known`, your history says enough.
   */
  providers_not_asked: Partial<Record<Unasked, number>>;
  error: {
    code: BulkErrorCode;
    message: string;
  } | null;
  allow_partial: boolean;
  /**
   * As asked for. A key without a user gets no mail: only users have an address.
   */
  notify: boolean;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * When it was started; a queued job’s turn comes later.
   */
  started_at: number | null;
  /**
   * Epoch seconds.
   */
  finished_at: number | null;
  /**
   * When its files are deleted: 7 days after it was created.
   */
  expires_at: number;
  /**
   * Epoch seconds.
   */
  files_deleted_at: number | null;
}
export interface BulkJobList {
  jobs: BulkJob[];
  cursor: string | null;
}
export interface ChangeBulkJob {
  name?: (string | null) | undefined;
  policy_slug?: (string | null) | undefined;
  has_header?: boolean | undefined;
  /**
   * Null: it is found by its content again.
   */
  email_column?: ((string | number) | null) | undefined;
}
export interface PasteBulkJob {
  emails: string[];
}
export interface BulkEstimate {
  /**
   * Addresses not yet begun: 0 when done.
   */
  rows_unique: number;
  /**
   * Addresses that will be metered.
   */
  verifications: number;
  skipped: number;
  cached: number;
  /**
   * `cached` was counted on a sample and scaled.
   */
  cached_estimated: boolean;
  to_verify: number;
  /**
   * Null when unmetered.
   */
  quota_remaining: number | null;
  fits: boolean;
  /**
   * Every address asked of every provider, within the ceiling of an address.
   */
  max_cost_usd: number;
  /**
   * What the router would spend at this purpose, from the mail hosts of a few addresses.
   */
  expected_cost_usd: number;
  /**
   * US dollars, at most 6 decimals.
   */
  enrichment_max_cost_usd: number;
  /**
   * Of the month’s provider budget; null when unlimited.
   */
  provider_budget_remaining_usd: number | null;
  /**
   * Why no provider will be asked about any address, as far as the sample shows; null: some will be.
   */
  no_provider_reason: Unasked | null;
}
export interface StartBulkJob {
  /**
   * Begins although the quota does not reach: the job pauses (`paused_quota`) where it ends.
   */
  allow_partial?: boolean | undefined;
  /**
   * One mail, when done, to the user whose key created the job.
   */
  notify?: boolean | undefined;
}
export interface BlockBulkSegment {
  /**
   * `undeliverable` or `review`; of a job with a policy `deny` or `review`.
   */
  segment: 'undeliverable' | 'review' | 'deny';
  /**
   * Up to 500 characters, kept with every entry; empty: entries lose theirs. No email address.
   */
  note?: string | undefined;
}
export interface RulesBlocked {
  rule: 'block' | 'allow';
  added: number;
  /**
   * Taken from the other list.
   */
  moved: number;
  /**
   * On the list already; a note that was sent is now theirs, an empty one takes theirs away.
   */
  unchanged: number;
  /**
   * Entries now on the list.
   */
  total: number;
}
export interface OutcomeReceipt {
  id: string;
  trace_id: string;
  outcome: Outcome;
  /**
   * Whether the key may read such a trace of the account; null: it could not be asked at once.
   */
  matched: boolean | null;
  /**
   * Null where no code was found.
   */
  smtp: SmtpCodes | null;
}
export interface SmtpCodes {
  /**
   * Basic reply code (RFC 5321), `550`.
   */
  code: string | null;
  /**
   * Enhanced status code (RFC 3463), `5.1.1`.
   */
  enhanced: string | null;
}
export interface ImportRequest {
  outcomes: {
    email: string;
    outcome: 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint';
    /**
     * Epoch seconds: when it happened, up to 400 days back.
     */
    at: number;
    /**
     * As in `POST /v1/outcome`.
     */
    smtp_code?: string | undefined;
  }[];
}
export interface ImportReceipt {
  /**
   * Rows that are new.
   */
  accepted: number;
  /**
   * Rows whose address, outcome and time were reported before, here or in this request.
   */
  duplicates: number;
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    /**
     * `suppressed`: the account has had the address forgotten, and keeps it out.
     */
    reason: 'not_an_address' | 'too_old' | 'in_the_future' | 'suppressed';
  }[];
}
export interface EventsReceipt {
  accepted: number;
  /**
   * In the order of the request.
   */
  ids: string[];
}
export interface OwnConnectionList {
  connections: {
    id: string;
    kind: ConnectionKind;
    /**
     * Where the service sends its webhooks; the path alone where `PUBLIC_URL` is not set.
     */
    url: string;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * When the newest event of the last 30 days came; null: none came.
     */
    last_event_at: number | null;
    /**
     * Events of the last 30 days by what they mean (`delivered`, `hard_bounce`, `subscribed` …). One that is sent again counts once.
     */
    events: {
      [k: string]: number;
    };
    /**
     * Webhooks with a bad or missing signature since the connection was made, counted a minute late.
     */
    refused: number;
  }[];
}
export interface CreateOwnConnection {
  kind: ConnectionKind;
  /**
   * What the service shows or is given: `whsec_…` of Stripe and Resend, SendGrid’s verification key, Mailgun’s signing key, `user:password` for Postmark, the topic’s ARN for SES. Kept encrypted, never shown.
   */
  secret: string;
}
export interface OwnConnectionResponse {
  connection: {
    id: string;
    kind: ConnectionKind;
    /**
     * Where the service sends its webhooks; the path alone where `PUBLIC_URL` is not set.
     */
    url: string;
  };
}
export interface ChangeOwnConnection {
  /**
   * The new secret; the one before stays good until the next change.
   */
  secret: string;
}
export interface Done {
  done: true;
}
export interface ExportAddress {
  /**
   * The person’s address. It stands in the body alone, never in a URL or a log.
   */
  email: string;
}
export interface AddressExport {
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  /**
   * Epoch seconds.
   */
  exported_at: number;
  /**
   * Kept out of imports and webhooks.
   */
  suppressed: boolean;
  rules: {
    id: string;
    /**
     * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
     */
    display: string;
    note: string | null;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A user, or a key that has none.
     */
    created_by: string;
    rule: 'block' | 'allow';
  }[];
  /**
   * What enters its next number; null: nothing is known.
   */
  history: {
    /**
     * Epoch seconds.
     */
    first_seen_at: number;
    host_class: string;
    purpose: string;
    features: string[];
    answers: {
      provider: string;
      verdict: string;
      /**
       * Epoch seconds.
       */
      at: number;
    }[];
    reports: {
      source: string;
      class: string;
      /**
       * Epoch seconds.
       */
      at: number;
    }[];
    proofs: {
      class: string;
      /**
       * Epoch seconds.
       */
      at: number;
    }[];
  } | null;
  /**
   * Verifications and decisions, newest first, of live and test keys.
   */
  traces: Trace[];
  screenings: ScreeningRow[];
  /**
   * What mail services and imports reported.
   */
  reports: {
    /**
     * The connection, or `import`.
     */
    source: string;
    outcome: Outcome;
    smtp: SmtpCodes;
    means: 'sent' | 'seen' | 'suppressed';
    /**
     * Epoch seconds.
     */
    at: number;
  }[];
  events: {
    id: string;
    event: string;
    source: string;
    /**
     * Epoch seconds.
     */
    at: number;
    properties: {
      [k: string]: string | number | boolean;
    } | null;
  }[];
  /**
   * How segments count it.
   */
  exposures: {
    /**
     * Its first verification or decision of the last 365 days.
     */
    at: number;
    /**
     * What the account said of it in a decision.
     */
    attributes: {
      [k: string]: unknown;
    };
  }[];
  /**
   * Answers kept for a repeat under an `Idempotency-Key`, for 24 hours.
   */
  kept_answers: unknown[];
  /**
   * Lists with more than the newest 1,000. The rest is of the same kind.
   */
  truncated: ('traces' | 'screenings' | 'reports' | 'events')[];
}
export interface Trace {
  trace_id: string;
  verification_trace_id: string | null;
  kind: 'verify' | 'decide' | 'bulk';
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  domain: string;
  verdict: Verdict;
  bounce_probability: number;
  recommendation: Recommendation;
  reason: CheckReason | null;
  email_type: EmailType | null;
  esp: Esp;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  cache_hit: boolean;
  degraded: boolean;
  bulk_job_id: string | null;
  /**
   * Every vendor that was sent the address, as `GET /v1/subprocessors` names it; null in traces written before.
   */
  sent_to: string[] | null;
  /**
   * Of a slip: the correction, masked like `display`.
   */
  did_you_mean: string | null;
  confidence_interval: number[] | null;
  signals: Signals | null;
  providers: {
    [k: string]: ProviderReceipt;
  } | null;
  provider_failures:
    | {
        provider: string;
        kind: string;
        /**
         * Wall-clock milliseconds.
         */
        ms: number;
        /**
         * What the vendor may bill all the same; not in `cost_usd`.
         */
        may_cost_usd: number;
      }[]
    | null;
  features: Features | null;
  route:
    | {
        /**
         * A provider, or `stop`.
         */
        choice: string;
        /**
         * Bounce probability before the choice.
         */
        probability: number;
        /**
         * Expected loss of deciding now.
         */
        stop_value_usd: number;
        candidates: {
          provider: string;
          value_usd: number;
          cost_usd: number;
          price_usd: number;
          latency_ms: number;
          failure_rate: number;
        }[];
        excluded: {
          provider: string;
          why: 'asked' | 'reported' | 'known' | 'budget' | 'cost' | 'time' | 'circuit_open';
        }[];
        /**
         * A provider worth asking was not: it has failed too often of late.
         */
        missed: boolean;
        left: {
          cost_usd: number;
          latency_ms: number;
        };
      }[]
    | null;
  /**
   * Null unless `/v1/decide` wrote the trace.
   */
  policy_decision: StoredPolicyDecision | null;
  /**
   * Of a bulk job that ran a policy.
   */
  bulk_decision: StoredPolicyDecision | null;
  /**
   * The newest report of what became of the message.
   */
  outcome: ReportedOutcome | null;
  reasons: CheckReason[] | null;
  disagreement: number | null;
  calibration: Calibration | null;
  context: VerificationContext | null;
}
export interface Features {
  /**
   * The table (or fit) of the probability.
   */
  model_version: string;
  host_class: string;
  mx_provider: string | null;
  gateway: boolean;
  mail_hosts: 'found' | 'implicit' | 'none' | 'unresolved' | 'not_looked_up';
  /**
   * What calls the domain disposable or suspected: a list, or mail hosts that serve listed domains alone. Not in traces written before.
   */
  disposable_by?: (('list' | 'mail_hosts') | null) | undefined;
  /**
   * Stored evidence about the address.
   */
  known_answers: {
    provider: string;
    verdict: 'deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown';
    age_s: number;
  }[];
  /**
   * Delivery reports about the address, and proofs that somebody reads it. Not in traces written before.
   */
  known_outcomes?:
    | {
        class: 'user_unknown' | 'refused' | 'full' | 'soft' | 'delivered' | 'complaint' | 'confirmed' | 'paid';
        age_s: number;
      }[]
    | undefined;
  /**
   * What the address shows by itself: `typo_domain`, `role` … Not in traces written before.
   */
  x?: string[] | undefined;
  /**
   * When the address was first seen, as far as it still counts.
   */
  t0?: number | undefined;
  /**
   * What host, purpose, domain, list and `x` say, before the evidence about the address itself. Not in traces written before.
   */
  neighbours?:
    | {
        /**
         * That the domain accepts everything.
         */
        accepts_all: number;
        /**
         * That mail bounced at `t0`, if the domain does not.
         */
        dead_strict: number;
        /**
         * That mail bounced at `t0`, if it does.
         */
        dead_accepts_all: number;
        /**
         * Variance of the log-odds of a bounce at `t0`.
         */
        var: number;
      }
    | undefined;
  /**
   * What the flag that organisations share says of the domain; 1 says nothing. Part of `neighbours`.
   */
  accepts_all_odds: number;
  /**
   * Why: every piece of evidence. The shifts add up to the log-odds of the probability. Not in traces written before.
   */
  evidence?:
    | {
        /**
         * `bounced_before`, `domain_delivers`, `answer` …; `stranger` is where the log-odds begin.
         */
        code: string;
        /**
         * How far it moved the log-odds of a bounce.
         */
        shift: number;
        provider?: string | undefined;
        verdict?: ('deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown') | undefined;
      }[]
    | undefined;
  /**
   * What the recommendation follows from, beside the probability. Not in traces written before.
   */
  losses?:
    | {
        /**
         * A message sent to an address that bounces.
         */
        bounce: number;
        /**
         * A good contact dropped.
         */
        contact_lost: number;
        /**
         * A good contact held or challenged.
         */
        held_good: number;
        /**
         * A bad address held or challenged.
         */
        held_bad: number;
        /**
         * 0: the service’s own.
         */
        version: number;
      }
    | undefined;
}
export interface StoredPolicyDecision {
  decision: Decision;
  rule_id: string;
  policy: {
    slug: string;
    version: number;
  };
  experiment: ExperimentArm | null;
  /**
   * Absent: not asked for. Null: not known.
   */
  company?:
    | ({
        industry: string | null;
        employees_range: EmployeesRange | null;
        /**
         * ISO 3166-1 alpha-2.
         */
        country: string | null;
      } | null)
    | undefined;
  /**
   * As `company`.
   */
  person?: (Person | null) | undefined;
  icp: {
    fit: IcpFit;
  };
  /**
   * Null once the address was erased.
   */
  attributes: {
    [k: string]: string | number | boolean;
  } | null;
  /**
   * Each source that was asked, or that a missing value was not asked of.
   */
  enrichment?:
    | {
        source: string;
        /**
         * `found`, `not_found` or how the call failed; not asked: `circuit_open`, `latency_ceiling`, `cost_ceiling`, `budget`, `budget_unreachable`.
         */
        outcome: string;
        /**
         * Null: not asked.
         */
        ms: number | null;
        /**
         * What it may have cost at most.
         */
        cost_usd: number;
      }[]
    | undefined;
}
export interface ReportedOutcome {
  id: string;
  outcome: Outcome;
  /**
   * Null where no code was found.
   */
  smtp: SmtpCodes | null;
  /**
   * Epoch seconds.
   */
  reported_at: number;
}
export interface ForgetAddress {
  /**
   * The person’s address. It stands in the body alone, never in a URL or a log.
   */
  email: string;
  /**
   * True: imports, mail services and the payment processor bring nothing of it any more; its hash is kept for that. False: they may again. Left out: as it was.
   */
  suppress?: boolean | undefined;
}
export interface ErasureReceipt {
  /**
   * `pending`: rows in Postgres follow, without another call.
   */
  status: 'done' | 'pending';
  /**
   * Epoch seconds.
   */
  at: number;
  suppressed: boolean;
  /**
   * What stays on purpose: the account’s own member with the address until they leave, or an invitation until it ends.
   */
  kept: ('member' | 'invitation')[];
  stores: {
    store: 'object' | 'postgres' | 'caches' | 'bulk_files' | 'restore_points';
    /**
     * Rows of each kind that this call has cut off.
     */
    removed: {
      [k: string]: number;
    };
    /**
     * From when on it holds nothing of the address as it is now; null: once Postgres has all rows, without another call.
     */
    free_by: number | null;
  }[];
}
export interface Subprocessors {
  subprocessors: {
    id: string;
    kind: 'verification' | 'enrichment' | 'model' | 'mail' | 'dns' | 'database' | 'platform';
    name: string;
    /**
     * What it is sent.
     */
    sent: string[];
    /**
     * The address itself is sent.
     */
    gets_address: boolean;
    /**
     * Where requests go; null: it has no host of its own.
     */
    host: string | null;
    /**
     * How long it keeps what it is sent, as its own page said that day; null: the operator runs it.
     */
    retention: {
      says: string;
      /**
       * Its page; null: none was found that says it.
       */
      source: string | null;
      read_on: string;
    } | null;
    switchable: boolean;
    /**
     * Whether this account’s requests reach it.
     */
    enabled: boolean;
  }[];
}
export interface SwitchSubprocessor {
  enabled: boolean;
}
export interface SubprocessorResponse {
  subprocessor: {
    id: string;
    kind: 'verification' | 'enrichment' | 'model' | 'mail' | 'dns' | 'database' | 'platform';
    name: string;
    /**
     * What it is sent.
     */
    sent: string[];
    /**
     * The address itself is sent.
     */
    gets_address: boolean;
    /**
     * Where requests go; null: it has no host of its own.
     */
    host: string | null;
    /**
     * How long it keeps what it is sent, as its own page said that day; null: the operator runs it.
     */
    retention: {
      says: string;
      /**
       * Its page; null: none was found that says it.
       */
      source: string | null;
      read_on: string;
    } | null;
    switchable: boolean;
    /**
     * Whether this account’s requests reach it.
     */
    enabled: boolean;
  };
}
export interface RetentionResponse {
  /**
   * Days. Older records are deleted by the next nightly run.
   */
  retention: {
    /**
     * Traces, screenings, and how segments count them.
     */
    traces: number;
    /**
     * Outcomes and reports of mail services and imports.
     */
    outcomes: number;
    /**
     * Events, and which customer of a payment processor an address belongs to.
     */
    events: number;
    /**
     * What is known of an address of which nothing new was learnt.
     */
    history: number;
    /**
     * What replays a trace.
     */
    details: number;
  };
}
export interface PutRetention {
  traces?: (number | null) | undefined;
  outcomes?: (number | null) | undefined;
  events?: (number | null) | undefined;
  history?: (number | null) | undefined;
  details?: (number | null) | undefined;
}
export interface TraceList {
  traces: (
    | {
        trace_id: string;
        verification_trace_id: string | null;
        kind: 'verify' | 'decide' | 'bulk';
        /**
         * Epoch seconds.
         */
        created_at: number;
        /**
         * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
         */
        display: string;
        domain: string;
        verdict: Verdict;
        bounce_probability: number;
        recommendation: Recommendation;
        reason: CheckReason | null;
        email_type: EmailType | null;
        esp: Esp;
        /**
         * US dollars, at most 6 decimals.
         */
        cost_usd: number;
        /**
         * Wall-clock milliseconds.
         */
        latency_ms: number;
        cache_hit: boolean;
        degraded: boolean;
        bulk_job_id: string | null;
        account_id: string;
        api_key_id: string | null;
        key_name: string | null;
        key_origin: KeyOrigin | null;
        /**
         * Null unless `/v1/decide` wrote the trace.
         */
        policy_decision: {
          decision: Decision;
          rule_id: string;
          policy: {
            slug: string;
            version: number;
          };
        } | null;
      }
    | TraceRow
  )[];
  /**
   * Null: nothing is left. A page that is narrowed by several filters may have fewer rows than `limit` and still go on.
   */
  cursor: string | null;
}
export interface TraceRow {
  trace_id: string;
  verification_trace_id: string | null;
  kind: 'verify' | 'decide' | 'bulk';
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  domain: string;
  verdict: Verdict;
  bounce_probability: number;
  recommendation: Recommendation;
  reason: CheckReason | null;
  email_type: EmailType | null;
  esp: Esp;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  cache_hit: boolean;
  degraded: boolean;
  bulk_job_id: string | null;
}
export interface TraceResponse {
  trace: Trace;
}
export interface TraceSearch {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}
export interface CalibrationReport {
  /**
   * The model in force, as `features.model_version` of traces names it; `seed-…`: the table.
   */
  version: string;
  /**
   * `prior`: the seeded table is in force; `fitted`: a model of the account’s own outcomes.
   */
  state: Calibration;
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
  /**
   * Usable ones: about the mailbox, one an address. A fit takes 200.
   */
  outcomes: number;
  /**
   * Of these. A fit takes 10.
   */
  hard_bounces: number;
  /**
   * How many more usable ones a fit takes; both 0: there are enough.
   */
  missing: {
    outcomes: number;
    hard_bounces: number;
  };
  /**
   * Where outcomes came from, as the run found them.
   */
  sources: {
    /**
     * `api`: reports that name a trace; `import`; or the id of a connection.
     */
    source: string;
    /**
     * The connection’s service; null for the others, and once it is deleted.
     */
    kind: string | null;
    /**
     * All that are kept (400 days), usable or not.
     */
    outcomes: number;
    /**
     * Of these.
     */
    hard_bounces: number;
  }[];
  /**
   * How much of what may have been sent has a known outcome; null before the first run.
   */
  sends: {
    /**
     * The days counted, up to the run.
     */
    days: number;
    /**
     * Addresses verified or decided on that were not to be dropped; the newest 200,000 at most.
     */
    verified: number;
    /**
     * Of these, those whose outcome is known.
     */
    reported: number;
    /**
     * `reported` of `verified`; null without any.
     */
    share: number | null;
  } | null;
  /**
   * How far predictions were from what happened: mean of −ln(probability given to it). Less is better; 0.693 is a coin’s.
   */
  log_loss: {
    /**
     * Of the seeded table; null without outcomes.
     */
    prior: number | null;
    /**
     * Of the fit, on addresses it has not seen; null while there are too few outcomes.
     */
    fitted: number | null;
  };
  /**
   * What the account’s history is worth to its predictions; null before the first run, and without such reports.
   */
  history?:
    | ({
        /**
         * Reports of bounces and deliveries that predictions are held against; of a sample of addresses where there are many.
         */
        outcomes: number;
        /**
         * Of the seeded table, by what it reads. The report that is predicted, and what the address showed later, take no part.
         */
        log_loss: {
          /**
           * Without any history: host, purpose, the address itself and answers of the same day.
           */
          without: number | null;
          /**
           * With the address’s own earlier answers and reports.
           */
          address: number | null;
          /**
           * With other addresses of its domain.
           */
          domain: number | null;
          /**
           * With other addresses of its list.
           */
          list: number | null;
          /**
           * With all three.
           */
          all: number | null;
        };
      } | null)
    | undefined;
  /**
   * The model in force against the outcomes, by rising prediction. Ranges without outcomes are left out.
   */
  bins: {
    /**
     * Mean bounce probability of these addresses.
     */
    predicted: number;
    /**
     * Share of them that hard-bounced.
     */
    observed: number;
    /**
     * 90 % credible interval of the rate behind `observed`.
     */
    ci: number[];
    /**
     * Outcomes in the bin.
     */
    count: number;
  }[];
}
export interface Segments {
  window_days: number;
  metric: string;
  join: {
    /**
     * Events received in the window that name a trace of the account.
     */
    exact: number;
    /**
     * Events of a payment processor, by its own time, tied by address: one verified by the end of the day they came.
     */
    by_email: number;
    /**
     * Events of either kind that belong to no trace.
     */
    unmatched: number;
  };
  segments: {
    /**
     * Dimension to value; one or two.
     */
    key: {
      [k: string]: string | number | boolean;
    };
    exposures: number;
    /**
     * Exposures with at least one event after them.
     */
    events: number;
    /**
     * Posterior mean.
     */
    rate: number;
    /**
     * 90 %, equal tails.
     */
    ci: number[];
  }[];
  /**
   * Fewer than 30 exposures: no rate.
   */
  too_few: {
    /**
     * Dimension to value; one or two.
     */
    key: {
      [k: string]: string | number | boolean;
    };
    exposures: number;
  }[];
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
}
export interface Recommendations {
  metric: string;
  window_days: number;
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
  recommendations: {
    id: string;
    proposed_action: 'review';
    /**
     * Stricter ones.
     */
    proposed_action_alternatives: Decision[];
    /**
     * Ready to stand in a policy.
     */
    rule: PolicyRule;
    evidence: {
      /**
       * Dimension to value; one or two.
       */
      segment: {
        [k: string]: string | number | boolean;
      };
      rate: number;
      baseline: number;
      /**
       * That the rate is below the baseline, corrected for the segments looked at.
       */
      probability: number;
      exposures: number;
      events: number;
    };
    cost_note: string;
    try_as_experiment: {
      weight: number;
      /**
       * Exposures each arm needs before its rates are shown.
       */
      min_sample: number;
    };
    says: string;
  }[];
}
export interface Identity {
  account_id: string;
  org: {
    id: string;
    name: string;
  };
  key: {
    id: string;
    role: Role;
    origin: KeyOrigin;
  };
  operator: boolean;
  /**
   * Deprecated: the user who created the key.
   */
  owner_user_id: string | null;
}
export interface Usage {
  /**
   * The running UTC month.
   */
  period: {
    /**
     * Epoch seconds.
     */
    from: number;
    /**
     * Epoch seconds.
     */
    to: number;
  };
  calls: {
    verify: number;
    check: number;
    screen: number;
    decide: number;
    bulk: number;
  };
  /**
   * The most that vendors may bill for this month: providers, screening’s model, enrichment. A call that was given up, or failed midway, counts its price, though the `cost_usd` of no answer shows it.
   */
  provider_spend_usd: number;
  quota: {
    limit: number;
    used: number;
    /**
     * Null when unmetered.
     */
    remaining: number | null;
    unmetered: boolean;
  };
  screening: {
    /**
     * Null when it could not be read.
     */
    used: number | null;
    quota: number;
    unmetered: boolean;
    period: 'utc_month';
  };
  bulk: {
    jobs_this_month: number;
    rows_this_month: number;
  };
}
export interface UsageSeries {
  /**
   * Where the first day begins.
   */
  from: number;
  /**
   * Where the last day ends.
   */
  to: number;
  interval: 'day' | 'month';
  series: {
    /**
     * A key’s id (empty: not known), a kind (`verify`, `decide`, `bulk`, `screen`) …; null without `by`.
     */
    value: string | null;
    /**
     * Oldest first; without those that had no call.
     */
    points: {
      /**
       * Where the day or month begins.
       */
      at: number;
      calls: number;
      /**
       * What their answers said of cost.
       */
      cost_usd: number;
    }[];
  }[];
}
export interface OwnKeyList {
  keys: OwnKey[];
  cursor: string | null;
}
export interface OwnKey {
  id: string;
  name: string;
  role: Role;
  origin: KeyOrigin;
  mode: 'live' | 'test';
  /**
   * The last characters of the secret; empty for a person’s dashboard key, which has none.
   */
  last4: string;
  /**
   * Whose key it is: it ends with the person’s membership.
   */
  owner_user_id: string | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * Null for keys of before this was kept.
   */
  created_by: string | null;
  /**
   * The hour of the last request that was let in; null: none was.
   */
  last_used_at: number | null;
  /**
   * Refused from then on; null: it does not expire.
   */
  expires_at: number | null;
  /**
   * The secret before the last rotation, while it is still good.
   */
  previous_secret: {
    last4: string;
    /**
     * Epoch seconds.
     */
    valid_until: number;
  } | null;
  /**
   * Epoch seconds.
   */
  revoked_at: number | null;
}
export interface CreateOwnKey {
  name: string;
  role: Role;
  mode?: ('live' | 'test') | undefined;
  /**
   * Epoch seconds, in the future; null: it does not expire.
   */
  expires_at?: (number | null) | undefined;
}
export interface OwnKeySecret {
  key: {
    id: string;
    name: string;
    role: Role;
    origin: KeyOrigin;
    mode: 'live' | 'test';
    /**
     * The last characters of the secret; empty for a person’s dashboard key, which has none.
     */
    last4: string;
    /**
     * Whose key it is: it ends with the person’s membership.
     */
    owner_user_id: string | null;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * Null for keys of before this was kept.
     */
    created_by: string | null;
    /**
     * The hour of the last request that was let in; null: none was.
     */
    last_used_at: number | null;
    /**
     * Refused from then on; null: it does not expire.
     */
    expires_at: number | null;
    /**
     * The secret before the last rotation, while it is still good.
     */
    previous_secret: {
      last4: string;
      /**
       * Epoch seconds.
       */
      valid_until: number;
    } | null;
    /**
     * Epoch seconds.
     */
    revoked_at: number | null;
    /**
     * The key itself. Only this answer shows it.
     */
    secret: string;
  };
}
export interface ChangeOwnKey {
  name?: string | undefined;
  expires_at?: (number | null) | undefined;
}
export interface OwnKeyResponse {
  key: OwnKey;
}
export interface RotateOwnKey {
  /**
   * How long the secret until now stays good, up to 30 days; by default a day.
   */
  overlap_s?: number | undefined;
}
export interface OwnOrganisationResponse {
  organisation: Organisation;
}
export interface Organisation {
  id: string;
  account_id: string;
  name: string;
  verification_quota: number;
  screening_allowance: number;
  /**
   * US dollars, at most 6 decimals.
   */
  enrichment_budget_usd: number;
  /**
   * Null: unlimited. Once a month’s is spent, no provider is asked: answers are local.
   */
  provider_budget_usd: number | null;
  rate_per_minute: number;
  /**
   * Epoch seconds.
   */
  created_at: number;
}
export interface ChangeOwnOrganisation {
  name?: string | undefined;
}
export interface MemberList {
  /**
   * Oldest first.
   */
  members: {
    id: string;
    email: string;
    name: string | null;
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    created_by: string | null;
  }[];
}
export interface ChangeMember {
  role: Role;
}
export interface MemberResponse {
  member: {
    id: string;
    email: string;
    name: string | null;
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    created_by: string | null;
  };
}
export interface InvitationList {
  /**
   * The open ones, newest first.
   */
  invitations: {
    id: string;
    email: string;
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    created_by: string;
    /**
     * Epoch seconds.
     */
    expires_at: number;
  }[];
}
export interface CreateInvitation {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  role: Role;
}
export interface InvitationResponse {
  invitation: {
    id: string;
    email: string;
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    created_by: string;
    /**
     * Epoch seconds.
     */
    expires_at: number;
  };
}
export interface AuditLog {
  entries: {
    id: string;
    /**
     * Epoch seconds.
     */
    at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    actor: string;
    /**
     * What was done: `key.created`, `policy.saved`, `rules.added` …
     */
    action: string;
    /**
     * The id or name of what was changed.
     */
    target: string;
    /**
     * What changed, without secrets and addresses.
     */
    summary: string;
  }[];
  cursor: string | null;
}
