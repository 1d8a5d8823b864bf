import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { archiveClient, saveClient, viewClients } from '#server/network/clients/clients.service.ts';
import { mergeClients, setClient } from '#server/use-cases/clients/accounts-of-clients.service.ts';
import { viewAccountsFor } from '#server/read-model/accounts.service.ts';
import {
  downloadReportPdf,
  showReport,
} from '#server/read-model/reports/client-reports.service.ts';
import { confirmReports } from '#server/read-model/reports/report-address.service.ts';
import {
  saveReportBrand,
  saveReportMail,
  viewReportMail,
} from '#server/read-model/reports/report-mail.service.ts';
import { registerCall } from './http/register-call.ts';

export function registerClientRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findClients, deps, async ({ session }) => ({
    data: await viewClients(deps, session),
  }));

  registerCall(app, CALLS.findReport, deps, async ({ input, session }) => ({
    data: await showReport(deps, session, input),
  }));

  registerCall(app, CALLS.downloadReport, deps, async ({ input, session }) => ({
    data: await downloadReportPdf(deps, session, input),
  }));

  registerCall(app, CALLS.findReportMail, deps, async ({ input, session }) => ({
    data: await viewReportMail(deps, session, input.clientId),
  }));

  registerCall(app, CALLS.saveReportMail, deps, async ({ input, session }) => {
    await saveReportMail(deps, session, input);
    const data = await viewReportMail(deps, session, input.clientId);
    return { data, message: 'Monthly email saved' };
  });

  registerCall(app, CALLS.confirmReports, deps, async ({ input, address }) => {
    await confirmReports(deps, input.token, address);
    return { data: null };
  });

  registerCall(app, CALLS.saveReportBrand, deps, async ({ input, session }) => {
    await saveReportBrand(deps, session, input);
    const data = await viewReportMail(deps, session, input.clientId);
    return { data, message: 'Name and logo saved' };
  });

  registerCall(app, CALLS.saveClient, deps, async ({ input, session }) => {
    await saveClient(deps, session, input);
    return { data: await viewClients(deps, session), message: 'Client saved' };
  });

  registerCall(app, CALLS.mergeClients, deps, async ({ input, session }) => {
    await mergeClients(deps, session, input);
    return { data: await viewClients(deps, session), message: 'Clients merged' };
  });

  registerCall(app, CALLS.archiveClient, deps, async ({ input, session }) => {
    await archiveClient(deps, session, input);
    const message = input.isArchived ? 'Client archived' : 'Client restored';
    return { data: await viewClients(deps, session), message };
  });

  registerCall(app, CALLS.setClient, deps, async ({ input, session }) => {
    const ids = await setClient(deps, session, input);
    const accounts = await viewAccountsFor(deps, session, ids);
    return { data: accounts.map(({ view }) => view), message: 'Client changed' };
  });
}
