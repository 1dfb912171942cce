import { catalogProperties } from '../shared/form/catalogProperties';
import { IMAGE_CATALOG } from '../shared/spec/catalogs';

export { CREATING_HINT as BUILDER_HINT } from '../shared/form/builderHints';
export { OUTPUTS, SUBTITLE, WAITING_TOOLTIP } from '../shared/form/expressions';

export const properties = () => catalogProperties(IMAGE_CATALOG);
