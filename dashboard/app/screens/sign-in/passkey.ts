import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { callAuth } from '../../api/session.ts';

export const hasPasskeys = browserSupportsWebAuthn;

/** Begins a session with a passkey of this device. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialRequestOptionsJSON>(
    'GET',
    '/passkey/generate-authenticate-options',
  );
  const response = await startAuthentication({ optionsJSON });
  await callAuth('POST', '/passkey/verify-authentication', { response });
}

/** Makes a passkey for who is signed in. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialCreationOptionsJSON>(
    'GET',
    '/passkey/generate-register-options',
  );
  const response = await startRegistration({ optionsJSON });
  await callAuth('POST', '/passkey/verify-registration', { response, name });
}
