from django.http import HttpResponse
from django.urls import path
from django.utils.html import format_html
from doorward.django import logout_form, protect


@protect(live=True)
def home(request):
    person = request.person
    shown = format_html("<p>{} of {}</p>", person.email, person.organization_name)
    return HttpResponse(shown + logout_form(request))


urlpatterns = [path("", home)]
