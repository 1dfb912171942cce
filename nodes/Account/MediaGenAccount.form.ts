import { builderHintOf } from '../shared/form/builderHints';
import { catalogProperties } from '../shared/form/catalogProperties';
import { subtitleOf } from '../shared/form/expressions';
import { ACCOUNT_CATALOG } from '../shared/spec/catalogs';

export { WAITING_TOOLTIP } from '../shared/form/expressions';

export const SUBTITLE = subtitleOf(ACCOUNT_CATALOG);

export const BUILDER_HINT = builderHintOf(ACCOUNT_CATALOG);

export const properties = () => catalogProperties(ACCOUNT_CATALOG);
