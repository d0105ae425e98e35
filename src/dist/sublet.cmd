@echo off
rem Runs Sublet, with any Java from 17 on.
rem   JAVA_HOME         the Java to run with; else the one on the path
rem   SUBLET_JAVA_OPTS  further options for the Java virtual machine, such as -Xmx8g
setlocal
set "java=java"
if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "java=%JAVA_HOME%\bin\java.exe"
set "compiler=-XX:TieredStopAtLevel=1 -XX:Tier3BackEdgeThreshold=5000"
if "%~1"=="run" set "compiler=-XX:+TieredCompilation"
if "%~1"=="micro" set "compiler=-XX:+TieredCompilation"
"%java%" -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow -XX:+UseSerialGC %compiler% -Dsun.reflect.inflationThreshold=1000 %SUBLET_JAVA_OPTS% -jar "%~dp0..\lib\sublet.jar" %*
exit /b %ERRORLEVEL%
